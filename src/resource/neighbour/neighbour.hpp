// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/neighbour/peer_table.hpp"
#include "resource/neighbour/state.hpp"
#include "resource/resource.hpp"

#include <optional>

namespace fabric::resource::neighbour {

// What a comparison of one interface rests on beside its own state.
struct Surroundings {
    const PeerTable& peers;
    bool arpChangePlanned = false;  // this run changes its ARP settings first
    std::optional<ServiceStart> service = std::nullopt;
};

// Pure: the flush of one interface (neighbour/IF), every entry that the inventory
// judges or that the profile wants gone (neighbour/IF/ADDRESS), and what else a person
// should know about its entries.
[[nodiscard]] Comparison compare(const RailTask& task,
                                 const InterfaceState& state,
                                 const Surroundings& surroundings);

// Pure: without an inventory, one MAC under addresses on several rails is a hint that a
// peer answers on the wrong rail, no proof: a peer with one NIC owns all of them.
[[nodiscard]] std::vector<Finding> sharedMacHints(const State& state);

// Pure: what must be restarted, why, and how that was concluded; std::nullopt when
// nothing speaks for it. `wrongEntries` are cached now; `flushDue`: a flush follows.
[[nodiscard]] std::optional<Finding> restartAdvice(
    const std::optional<ServiceStart>& service, bool wrongEntries, bool flushDue);

// Resource `neighbour`: ids neighbour/INTERFACE, neighbour/INTERFACE/ADDRESS and
// neighbour/peers-from.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);

}  // namespace fabric::resource::neighbour
