// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/neighbours.hpp"
#include "resource/resource.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fabric::resource::neighbour {

// One interface of a rail that owns addresses.
struct InterfaceState {
    IfIndex link;
    std::string name;
    std::string rail;
    std::optional<MacAddress> mac;
    bool carrier = false;
    std::vector<IpAddress> addresses;  // its own, without IPv6 link-local ones
    std::vector<host::Neighbour> entries;
    // Its ARP settings changed and the flush that follows was not done (see
    // resource/flush_pending.hpp). An error: that could not be told.
    Result<bool> flushPending = false;
};

// What was read for all rails at once.
struct State {
    std::map<IfIndex, InterfaceState> interfaces;
};

// One dump of links, one of addresses, one per family of neighbours, and one status per
// interface, whatever the number of rails. Interfaces without an address are left out.
[[nodiscard]] Result<State> observe(const host::Reader& host,
                                    std::span<const RailTask> rails);

// Since when a service's processes may have copied MAC addresses into their queue
// pairs.
struct ServiceStart {
    std::string unit;
    std::chrono::system_clock::time_point oldest;  // start of its oldest process
    bool arpChangedSince = false;  // our sysctl file was written after that
};

// std::nullopt when no process of the unit is found. Reads the unit's control group and
// the process table; proc_pid_stat(5).
[[nodiscard]] std::optional<ServiceStart> observeService(const host::Reader& host,
                                                         const std::string& unit);

}  // namespace fabric::resource::neighbour
