// SPDX-License-Identifier: Apache-2.0
#include "engine/carrier.hpp"

#include <algorithm>

namespace fabric::engine {

namespace {

// A driver that bounces the link lets the carrier drop shortly after its answer (mlx5
// sets the port down and up and learns of both by event). A link that has not dropped
// within this time did not bounce.
constexpr std::chrono::milliseconds kBounceGrace{1000};

}  // namespace

void CarrierGuard::expectBounce(const resource::Step& step) {
    rail_ = step.rail;
    if (!watch_) {
        if (auto watch = reader_.watcher.watch()) {
            watch_ = std::move(*watch);
        }
    }
    if (bounced_.contains(step.link)) {
        return;
    }
    if (const auto link = reader_.links.link(step.link)) {
        bounced_[step.link] = {.carrier = link->carrier,
                               .downCount = link->carrierDownCount};
    }
}

std::optional<std::string> CarrierGuard::leaveUnless(const std::string& rail) {
    if (bounced_.empty() || rail == rail_) {
        return std::nullopt;
    }
    const bool allBack = std::ranges::all_of(bounced_, [&](const auto& entry) {
        return !entry.second.carrier || cameBack(entry.first, entry.second);
    });
    if (!allBack && lostRail_.empty()) {
        lostRail_ = rail_;
    }
    bounced_.clear();
    return allBack ? std::nullopt : std::optional(rail_);
}

bool CarrierGuard::cameBack(IfIndex link, const Before& before) {
    const auto start = reader_.clock.now();
    const auto deadline = start + options_.carrierDeadline;
    const auto graceEnd = std::min(start + kBounceGrace, deadline);
    while (true) {
        const auto now = reader_.links.link(link);
        if (!now) {
            return false;
        }
        const auto time = reader_.clock.now();
        const bool dropped = now->carrierDownCount != before.downCount;
        if (now->carrier && (dropped || time >= graceEnd)) {
            return true;
        }
        if (!watch_ || time >= deadline || options_.stopRequested()) {
            return now->carrier;
        }
        const auto event = watch_->next(now->carrier ? graceEnd : deadline);
        if (!event && event.error().kind != ErrorKind::busy) {
            watch_.reset();
        }
    }
}

}  // namespace fabric::engine
