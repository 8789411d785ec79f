// SPDX-License-Identifier: Apache-2.0
#include "resource/neighbour/role.hpp"

namespace fabric::resource::neighbour {

namespace {

using host::NeighbourState;

// The group bit of an Ethernet address (IEEE 802, I/G): broadcast and multicast.
bool isGroup(const std::optional<MacAddress>& mac) {
    return mac && (mac->octets[0] & 1U) != 0;
}

}  // namespace

Role roleOf(const host::Neighbour& entry) {
    if (entry.externLearned || entry.managed || entry.proxy) {
        return Role::foreign;
    }
    // The kernel makes NOARP entries for what it sends to groups (net/ipv4/arp.c,
    // arp_constructor; net/ipv6/ndisc.c, ndisc_constructor).
    if (entry.key.address.isMulticast() ||
        (entry.state == NeighbourState::noArp && isGroup(entry.mac))) {
        return Role::kernel;
    }
    if (entry.state == NeighbourState::permanent ||
        entry.state == NeighbourState::noArp) {
        return Role::fixed;
    }
    return entry.isUsable() ? Role::dynamic : Role::unresolved;
}

std::string_view stateName(NeighbourState state) {
    switch (state) {
        case NeighbourState::none:
            return "NONE";
        case NeighbourState::incomplete:
            return "INCOMPLETE";
        case NeighbourState::reachable:
            return "REACHABLE";
        case NeighbourState::stale:
            return "STALE";
        case NeighbourState::delay:
            return "DELAY";
        case NeighbourState::probe:
            return "PROBE";
        case NeighbourState::failed:
            return "FAILED";
        case NeighbourState::noArp:
            return "NOARP";
        case NeighbourState::permanent:
            return "PERMANENT";
    }
    return "NONE";
}

}  // namespace fabric::resource::neighbour
