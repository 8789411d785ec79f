// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/ethtool.hpp"
#include "resource/resource.hpp"

#include <optional>

// Global link-level pause (IEEE 802.3 annex 31B), which stops all priorities at once
// and must not be on beside PFC.
namespace fabric::resource::pause {

// The pause parameters of a port as its driver tells them. ice tells "off" while PFC is
// on, whatever was set (ice_ethtool.c, ice_get_pauseparam).
[[nodiscard]] Result<host::PauseParameters> observe(
    const host::Reader& host, const inventory::PhysicalPort& port);

// Pure: the owned directions against what the port has.
[[nodiscard]] Comparison compare(const RailTask& task,
                                 const inventory::PhysicalPort& port,
                                 const Result<host::PauseParameters>& found,
                                 const inventory::Platform& platform);

// Pure: the answer for a rail that has no physical port here.
[[nodiscard]] Assessment compareWithoutPort(const RailTask& task);

// Pure: finding pause.beside-pfc, when the profile wants PFC on this rail and a
// direction of global pause that it does not turn off is on.
[[nodiscard]] std::optional<Finding> besidePfc(const RailTask& task,
                                               const inventory::PhysicalPort& port,
                                               const host::PauseParameters& found);

// Resource `pause`: ids pause/PORT for rails whose profile owns pause, and the finding
// for rails whose profile wants PFC, whether it owns pause or not.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);

}  // namespace fabric::resource::pause
