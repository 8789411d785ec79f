// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/resource.hpp"

#include <optional>
#include <string>

// What rdma_cm gives a connection whose application chose nothing
// (Documentation/ABI/testing/configfs-rdma_cm).
namespace fabric::resource::rdma_cm {

enum class Access {
    present,      // the group of the RDMA device exists and can be read
    groupAbsent,  // configfs shows a device only after a directory was made for it
    notLoaded,    // configfs has no rdma_cm: the module is not loaded
    notMounted,   // configfs is not mounted
    refused,      // looking was refused: see `error`
};

struct State {
    Access access = Access::refused;
    std::string group;            // directory of the RDMA device
    std::string tosPath;          // ports/N/default_roce_tos below it
    std::optional<unsigned> tos;  // 0..255
    std::string mode;             // "RoCE v2", "IB/RoCE v1", "" not told
    std::optional<Error> error;   // why there is no `tos`
};

[[nodiscard]] State observe(const host::Reader& host, const host::RdmaPort& port);

// Pure. `state` is empty for a rail without an Ethernet RDMA port. `loadsModule`: the
// profile loads rdma_cm, which then happens before this is written.
[[nodiscard]] Comparison compare(const RailTask& task,
                                 const std::optional<State>& state,
                                 const inventory::Platform& platform,
                                 bool loadsModule);

// Resource `rdma-cm`: ids rdma-cm/RAIL.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);

}  // namespace fabric::resource::rdma_cm
