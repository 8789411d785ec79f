// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inventory/link_graph.hpp"
#include "resource/resource.hpp"

#include <cstdint>

namespace fabric::resource::mtu {

// The largest RDMA path MTU that fits a net device: 256 to 4096 bytes of payload after
// 96 bytes of headers, 0 when not even 256 fit (include/rdma/ib_addr.h,
// iboe_get_mtu; ib_pack.h).
[[nodiscard]] std::uint32_t rocePathMtu(std::uint32_t linkMtu);

// The largest MTU that this link can have: its own limit and that of every device that
// it stands on; 0 when none is told. `limiting` names the device that sets it.
struct Limit {
    std::uint32_t bytes = 0;
    std::string limiting;
};

[[nodiscard]] Limit limitOf(const inventory::LinkGraph& links, const host::Link& link);

// The links of a rail whose MTU counts, from the port upwards: its ports, what lies
// between them and its interfaces, and the interfaces.
[[nodiscard]] inventory::LinkGraph::Links linksOf(const inventory::LinkGraph& links,
                                                  const inventory::Rail& rail);

// Pure: one assessment per link of the rail, and the steps in an order in which no VLAN
// is ever larger than what it stands on. A bond or team that is written takes its
// members along (drivers/net/bonding/bond_main.c, bond_change_mtu; team refuses a
// change of a member).
[[nodiscard]] Comparison compare(const RailTask& task,
                                 const inventory::LinkGraph& links);

// Pure: the answer when the links could not be read.
[[nodiscard]] Assessment compareUnread(const RailTask& task,
                                       const Error& error,
                                       const inventory::Platform& platform);

// Resource `mtu`: ids mtu/INTERFACE.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);

}  // namespace fabric::resource::mtu
