// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "inventory/pci_topology.hpp"
#include "resource/acs/endpoint.hpp"
#include "resource/acs/registers.hpp"

#include <span>
#include <vector>

namespace fabric::resource::acs {

// One bridge on the way of a pair.
struct PathBridge {
    PciAddress address;
    Registers registers;

    // RR, CR or EC is on: peer traffic goes up from here. Empty: cannot be told.
    [[nodiscard]] std::optional<bool> redirects() const;
};

// How one GPU and one NIC reach each other. `between` are the bridges strictly below
// their lowest common one, those of the GPU first, each side from the root down;
// without a common bridge that is the whole way of both.
struct GpuNicPath {
    PciAddress gpu;
    PciAddress nic;
    inventory::PciRelation relation = inventory::PciRelation::sys;
    std::vector<PathBridge> between;
};

// Every GPU with every NIC, in address order. Each bridge is read once.
[[nodiscard]] std::vector<GpuNicPath> gpuNicPaths(const host::PciReader& reader,
                                                  const inventory::PciTopology& pci,
                                                  std::span<const Endpoint> endpoints);

// For `facts`: {gpu, nic, relation, direct, bridges: [{pci, port, acs, control}]}.
// `direct` is null when a bridge cannot be read.
[[nodiscard]] Value toValue(const GpuNicPath& path);

}  // namespace fabric::resource::acs
