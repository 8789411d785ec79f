// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_links.hpp"

#include <algorithm>
#include <cerrno>
#include <ranges>

namespace fabric::fake {

// Hears every event that had not happened when it was opened.
class FakeWatch : public host::LinkWatch {
  public:
    FakeWatch(const FakeLinks& links, FakeClock& clock, std::size_t position)
        : links_(&links), clock_(&clock), position_(position) {}

    Result<std::optional<host::Link>> next(
        std::chrono::steady_clock::time_point deadline) override {
        const auto& events = links_->events_;
        if (position_ >= events.size() || events[position_].due > deadline) {
            clock_->advanceTo(deadline);
            links_->settle();
            return std::nullopt;
        }
        const auto& event = events[position_++];
        clock_->advanceTo(event.due);
        links_->settle();
        if (!event.what) {
            return fail(event.what.error());
        }
        return *event.what;
    }

  private:
    const FakeLinks* links_;
    FakeClock* clock_;
    std::size_t position_;
};

host::Link& FakeLinks::add(host::Link link) {
    const IfIndex index = link.index;
    return links_[index] = std::move(link);
}

host::Link& FakeLinks::add(std::uint32_t index, std::string name) {
    host::Link link;
    link.index = IfIndex{index};
    link.name = std::move(name);
    link.mtu = 1500;
    link.adminUp = true;
    link.carrier = true;
    return add(std::move(link));
}

void FakeLinks::remove(IfIndex index) {
    links_.erase(index);
}

host::Link* FakeLinks::find(IfIndex index) {
    settle();
    const auto found = links_.find(index);
    return found == links_.end() ? nullptr : &found->second;
}

host::Link* FakeLinks::find(std::string_view name) {
    settle();
    const auto found = std::ranges::find_if(
        links_, [&](const auto& entry) { return entry.second.name == name; });
    return found == links_.end() ? nullptr : &found->second;
}

void FakeLinks::schedule(std::chrono::milliseconds delay, Result<host::Link> what) {
    settle();
    Event event{.due = clock_->now() + delay, .what = std::move(what)};
    const auto later =
        std::find_if(events_.begin() + static_cast<std::ptrdiff_t>(applied_),
                     events_.end(),
                     [&](const Event& other) { return other.due > event.due; });
    events_.insert(later, std::move(event));
}

void FakeLinks::changeAfter(std::chrono::milliseconds delay, host::Link link) {
    schedule(delay, std::move(link));
}

void FakeLinks::failWatchAfter(std::chrono::milliseconds delay, Error error) {
    schedule(delay, fail(std::move(error)));
}

void FakeLinks::bounce(IfIndex index, std::optional<std::chrono::milliseconds> back) {
    const host::Link* const present = find(index);
    if (present == nullptr) {
        return;
    }
    host::Link link = *present;
    link.carrier = false;
    ++link.carrierDownCount;
    changeAfter(std::chrono::milliseconds{0}, link);
    if (back) {
        link.carrier = true;
        changeAfter(*back, link);
    }
    settle();
}

void FakeLinks::settle() const {
    while (applied_ < events_.size() && events_[applied_].due <= clock_->now()) {
        const Event& event = events_[applied_++];
        if (event.what) {
            links_[event.what->index] = *event.what;
        }
    }
}

Result<std::vector<host::Link>> FakeLinks::links() const {
    ++dumps;
    if (linksError) {
        return fail(*linksError);
    }
    settle();
    std::vector<host::Link> all;
    std::ranges::copy(std::views::values(links_), std::back_inserter(all));
    return all;
}

Result<host::Link> FakeLinks::link(IfIndex index) const {
    settle();
    const auto found = links_.find(index);
    if (found == links_.end()) {
        return fail(systemError(
            "read link", "ifindex " + std::to_string(index.number), ENODEV));
    }
    return found->second;
}

Result<std::vector<IfIndex>> FakeLinks::defaultRouteLinks() const {
    if (routesError) {
        return fail(*routesError);
    }
    std::vector<IfIndex> sorted = defaultRoutes;
    std::ranges::sort(sorted);
    const auto repeated = std::ranges::unique(sorted);
    sorted.erase(repeated.begin(), repeated.end());
    return sorted;
}

Result<std::vector<host::LinkAddress>> FakeLinks::addresses() const {
    if (addressesError) {
        return fail(*addressesError);
    }
    return addressList;
}

Result<void> FakeLinks::setMtu(IfIndex index, std::uint32_t mtu) {
    host::Link* const link = find(index);
    const auto injected = mtuErrors.find(index);
    int error = injected == mtuErrors.end() ? 0 : injected->second;
    if (link == nullptr) {
        error = ENODEV;
    } else if (error == 0 && link->maxMtu != 0 && mtu > link->maxMtu) {
        error = EINVAL;
    }
    mtuChanges.push_back({.link = index, .mtu = mtu, .sysErrno = error});
    if (error != 0) {
        return fail(
            systemError("set MTU", "ifindex " + std::to_string(index.number), error));
    }
    if (!ignoreMtu) {
        link->mtu = mtu;
    }
    return {};
}

Result<std::unique_ptr<host::LinkWatch>> FakeLinks::watch() const {
    if (watchError) {
        return fail(*watchError);
    }
    settle();
    return std::make_unique<FakeWatch>(*this, *clock_, applied_);
}

}  // namespace fabric::fake
