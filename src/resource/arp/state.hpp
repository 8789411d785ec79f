// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "resource/resource.hpp"

#include <map>
#include <span>
#include <vector>

namespace fabric::resource::arp {

// What was read of the host.
struct State {
    std::map<IfIndex, host::Ipv4Values> own;   // the interfaces' own values
    host::Ipv4Values all;                      // conf.all
    std::vector<host::LinkAddress> addresses;  // IPv4 only

    [[nodiscard]] bool ownsAddress(IfIndex link) const;
};

// Two dumps and one small file per key, however many rails there are.
[[nodiscard]] Result<State> observe(const host::Reader& host);

// One interface of a rail that owns an IPv4 address: port, VLAN, bond.
struct Place {
    const RailTask* task = nullptr;
    const inventory::RailInterface* interface = nullptr;

    [[nodiscard]] const profile::ArpSettings& settings() const {
        return *task->settings.arp;
    }

    [[nodiscard]] bool mayBeWritten() const { return task->refusal.empty(); }
};

// Of the rails whose settings have an arp section. The tasks must outlive the result.
[[nodiscard]] std::vector<Place> placesOf(std::span<const RailTask> rails,
                                          const State& state);

}  // namespace fabric::resource::arp
