// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/arp/state.hpp"

#include <span>
#include <vector>

namespace fabric::resource::arp {

// What does harm beside the values that the profile owns: reverse path filtering that
// drops a rail's traffic or hides ARP flux (arp.strict-rp-filter), and arp_filter where
// rails share a subnet (arp.arp-filter-shared-subnet). Pure.
[[nodiscard]] std::vector<Finding> hazardsOf(std::span<const Place> places,
                                             const State& state);

// The IPv4 addresses that stop being answered for when conf.all is set: those on
// loopback, dummy, bridge and veth devices that are no rail. Pure.
[[nodiscard]] std::vector<std::string> addressesAtRisk(
    std::span<const Place> places,
    const State& state,
    std::span<const host::Link> links);

}  // namespace fabric::resource::arp
