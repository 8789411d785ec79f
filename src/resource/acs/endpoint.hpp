// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "host/host.hpp"
#include "inventory/pci_topology.hpp"
#include "profile/settings.hpp"

#include <set>
#include <span>
#include <vector>

namespace fabric::resource::acs {

enum class EndpointKind { gpu, nic };

// A function whose peer-to-peer traffic matters. Points into a PciTopology.
struct Endpoint {
    const host::PciFunction* function = nullptr;
    EndpointKind kind = EndpointKind::gpu;
};

// The PCI functions that carry an RDMA port, directly or through the net device that
// the port stands on (VLANs and bonds are followed down).
[[nodiscard]] Result<std::set<PciAddress>> rdmaFunctions(const host::Reader& host);

// The endpoints of this machine, in address order. Without selectors: NVIDIA, AMD and
// Intel GPUs (not an Intel one on the root bus, which is part of the processor),
// network functions that carry RDMA, and ConnectX-8 Data Direct functions. With
// selectors exactly what they match; network class functions count as NICs. Virtual
// functions never count.
[[nodiscard]] std::vector<Endpoint> findEndpoints(
    const inventory::PciTopology& pci,
    const std::set<PciAddress>& rdma,
    std::span<const profile::EndpointSelector> selectors);

}  // namespace fabric::resource::acs
