// SPDX-License-Identifier: Apache-2.0
#include "switch/cumulus.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::switches {

namespace {

constexpr unsigned kLosslessPriority = 3;
constexpr unsigned kBlockShift = 3;  // DSCP >> 3 is the switch priority there

Error noWish(const profile::Profile& profile, std::string detail, std::string advice) {
    return {.kind = ErrorKind::unsupported,
            .action = "say what the switches need for",
            .subject = "profile " + escapeForTerminal(profile.name()),
            .sysErrno = 0,
            .detail = std::move(detail),
            .advice = std::move(advice)};
}

// Without `lossless`: the one priority of pfc, and the one DSCP that is mapped to it.
std::optional<std::pair<Priority, Dscp>> explicitClass(
    const profile::DcbSettings& dcb) {
    if (!dcb.pfc || dcb.pfc->value.size() != 1 || !dcb.dscpToPriority) {
        return std::nullopt;
    }
    const Priority priority = *dcb.pfc->value.begin();
    std::vector<Dscp> mapped;
    for (const auto& [dscp, to] : dcb.dscpToPriority->value) {
        if (to == priority) {
            mapped.push_back(dscp);
        }
    }
    return mapped.size() == 1 ? std::optional(std::pair(priority, mapped.front()))
                              : std::nullopt;
}

}  // namespace

Result<Wish> wishOf(const profile::Profile& profile) {
    const auto settings = profile.settingsFor({});
    if (!settings) {
        return fail(noWish(profile, settings.error().front().text(), ""));
    }
    const auto& dcb = settings->dcb;
    const auto lossless =
        !dcb ? std::nullopt
        : dcb->lossless
            ? std::optional(std::pair(dcb->lossless->priority, dcb->lossless->dscp))
            : explicitClass(*dcb);
    if (!lossless) {
        return fail(noWish(profile,
                           "it names not one lossless priority and one DSCP for it",
                           "write dcb.lossless with priority and dscp"));
    }
    const auto [priority, dscp] = *lossless;
    if (priority.number() != kLosslessPriority ||
        dscp.number() >> kBlockShift != kLosslessPriority) {
        return fail(noWish(
            profile,
            fmt::format("it wants priority {} and DSCP {}, and the lossless mode of "
                        "Cumulus Linux is switch priority 3 with DSCP 24 to 31",
                        priority.number(),
                        dscp.number()),
            "use priority 3 and DSCP 26 on the hosts, or configure the switches by "
            "hand"));
    }
    return Wish{.profile = profile.name(),
                .priority = priority,
                .dscp = dscp,
                .trafficClass = TrafficClass::of(kLosslessPriority)};
}

Commands commandsFor(const Wish& wish) {
    const std::string where =
        fmt::format("qos congestion-control default-global traffic-class {}",
                    wish.trafficClass.number());
    return {.set = {"nv config save",
                    "nv set qos roce mode lossless",
                    fmt::format("nv set {} min-threshold {}", where, kMinThreshold),
                    fmt::format("nv set {} max-threshold {}", where, kMaxThreshold),
                    "nv config apply",
                    "nv config save"},
            .verify = {"nv show qos roce", "nv show " + where},
            // The thresholds would outlive the mode.
            .undo = {"nv unset " + where,
                     "nv unset qos roce",
                     "nv config apply",
                     "nv config save"}};
}

}  // namespace fabric::switches
