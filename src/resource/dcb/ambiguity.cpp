// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/ambiguity.hpp"

#include "resource/dcb/trust.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace fabric::resource::dcb {

namespace {

std::vector<unsigned> candidates(const State& found, Priority priority) {
    std::vector<unsigned> on;
    if (found.sysfs) {
        for (const auto& [dscp, mapped] : found.sysfs->dscpToPriority) {
            if (mapped == priority.number()) {
                on.push_back(dscp.number());
            }
        }
        return on;
    }
    for (const auto& [dscp, priorities] : found.dscpEntries()) {
        if (priorities.contains(priority.number())) {
            on.push_back(dscp.number());
        }
    }
    return on;
}

}  // namespace

std::optional<Finding> autoAmbiguity(const PortTask& task, const State& found) {
    const auto& lossless = task.wanted.lossless;
    const TrustView view = trustOf(found, driverFacts(task.port.driver));
    if (!lossless || view.state != TrustState::dscp) {
        return std::nullopt;
    }
    const std::vector<unsigned> on = candidates(found, lossless->priority);
    if (on.size() < 2) {
        return std::nullopt;
    }
    const bool ownBlock = std::ranges::all_of(
        on, [&](unsigned dscp) { return (dscp >> 3U) == lossless->priority.number(); });
    const bool wantedIncluded =
        std::ranges::find(on, unsigned{lossless->dscp.number()}) != on.end();
    return Finding{
        .id = "dcb.auto-ambiguous",
        .severity = ownBlock && wantedIncluded ? Severity::info : Severity::warn,
        .summary = fmt::format(
            "{} DSCPs are on the lossless priority {}; which one AUTO takes is not "
            "defined by the host",
            on.size(),
            lossless->priority.number()),
        .evidence = fmt::format("DSCP {}", fmt::join(on, ", ")),
        .fix = "set dcb.other-dscp: exclusive, or name the DSCP in the application",
        .device = task.port.name};
}

}  // namespace fabric::resource::dcb
