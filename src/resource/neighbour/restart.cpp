// SPDX-License-Identifier: Apache-2.0
#include "resource/neighbour/neighbour.hpp"

namespace fabric::resource::neighbour {

namespace {

// A queue pair takes its destination MAC when it goes to RTR, an address handle when it
// is made; later changes of the cache reach neither (drivers/infiniband/core/verbs.c,
// ib_resolve_eth_dmac).
constexpr std::string_view kWhy =
    "RDMA queue pairs keep the MAC that was cached when they were connected";

}  // namespace

std::optional<Finding> restartAdvice(const std::optional<ServiceStart>& service,
                                     bool wrongEntries,
                                     bool flushDue) {
    if (!service || !(wrongEntries || flushDue || service->arpChangedSince)) {
        return std::nullopt;
    }
    std::string seen;
    if (wrongEntries) {
        seen = "a wrong entry is or was cached while " + service->unit + " runs";
    } else if (flushDue) {
        seen = "ARP settings change while " + service->unit + " runs";
    } else {
        seen =
            "/etc/sysctl.d/99-zz-fabricctl.conf was written after the oldest "
            "process of " +
            service->unit + " started";
    }
    return Finding{.id = "neighbour.restart-pending",
                   .severity = Severity::warn,
                   .summary = service->unit +
                              " may still send to wrong MACs: " + std::string(kWhy),
                   .evidence = std::move(seen),
                   .fix = "when fabricctl check is clean on all nodes, restart " +
                          service->unit + " on every node, not on this one only"};
}

}  // namespace fabric::resource::neighbour
