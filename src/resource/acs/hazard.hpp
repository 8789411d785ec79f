// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "inventory/pci_topology.hpp"
#include "resource/acs/selection.hpp"

#include <map>
#include <string>

namespace fabric::resource::acs {

// Why clearing the redirect bits of one bridge may be wrong. The texts name the first
// function below it that says so; "" when none does.
struct Hazard {
    // Its IOMMU group translates (type DMA or DMA-FQ), or the type cannot be read: the
    // addresses it sends are not bus addresses, and a switch would take them for such.
    std::string translating;
    // It is handed to a virtual machine or a user process (vfio, pci-stub, pciback),
    // which relies on the isolation.
    std::string passthrough;

    bool operator==(const Hazard&) const = default;
};

// One look at every function below the selected bridges; each IOMMU group's type
// (/sys/kernel/iommu_groups/N/type) is read once.
[[nodiscard]] std::map<PciAddress, Hazard> findHazards(
    const host::FileReader& files,
    const inventory::PciTopology& pci,
    const std::map<PciAddress, Below>& bridges);

}  // namespace fabric::resource::acs
