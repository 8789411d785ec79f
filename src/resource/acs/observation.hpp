// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/acs/endpoint.hpp"
#include "resource/acs/port.hpp"

#include <map>
#include <span>
#include <vector>

namespace fabric::resource::acs {

// The registers of one function through the host's PCI seam.
[[nodiscard]] Registers readRegisters(const host::PciReader& pci, PciAddress address);

// The selected bridges with their registers, in address order. Each function is read
// once.
[[nodiscard]] std::vector<Port> observePorts(
    const host::Reader& host,
    const inventory::PciTopology& pci,
    std::span<const Endpoint> endpoints,
    const std::map<PciAddress, Below>& bridges);

}  // namespace fabric::resource::acs
