// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/ecn/state.hpp"
#include "resource/resource.hpp"

#include <optional>

namespace fabric::resource::ecn {

// What one physical port shows of ECN. Never fails: what cannot be read carries its
// error. `rdma` is the RDMA port of the rail, for the counters.
//
// Looked for in this order:
//   /sys/class/net/IF/ecn/roce_{rp,np}       OFED mlx5 (en_ecn.c), per priority
//   /sys/kernel/debug/bnxt_re/BDF/cc_config  mainline bnxt_re (debugfs.c), whole port
//   /sys/kernel/config/bnxt_re/DEV           Broadcom's bnxt_re, whole port
//   /sys/kernel/debug/mlx5/BDF/cc_params     inbox mlx5 (cong.c), DSCP of the CNPs only
[[nodiscard]] State observe(const host::Reader& host,
                            const inventory::PhysicalPort& port,
                            const std::optional<host::RdmaPort>& rdma);

// Pure: what the profile wants of this port against what it shows.
[[nodiscard]] Comparison compare(const RailTask& task,
                                 const inventory::PhysicalPort& port,
                                 const State& state,
                                 const inventory::Platform& platform);

// Pure: the answer for a rail that has no physical port here.
[[nodiscard]] Comparison compareWithoutPort(const RailTask& task);

// Resource `ecn`: ids ecn/PORT/{reaction-point,notification-point,cnp-dscp}.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);

}  // namespace fabric::resource::ecn
