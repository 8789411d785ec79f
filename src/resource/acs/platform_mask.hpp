// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inventory/pci_topology.hpp"
#include "resource/acs/mask.hpp"

#include <map>
#include <string>
#include <string_view>

namespace fabric::resource::acs {

// What the platform's vendor supports for one port. Either masks, or the reason why
// none are known.
struct PlatformMask {
    Masks masks;
    std::string_view role;  // "root port of a Data Direct complex"
    std::string refusal;    // "" : the masks hold
};

// NVIDIA Grace or Vera, or a ConnectX-8 with Data Direct: ports whose bits must differ
// from each other, some of them on. Clearing everything breaks such a machine.
[[nodiscard]] bool hasPlatformMasks(const inventory::PciTopology& pci);

// The masks of every Grace and Vera root port and every NIC switch port, as rdma-core's
// kernel-boot/rdma_topo computes them: in a Data Direct complex (root port, NIC switch,
// below it the DMA function and, through one more switch, one GPU) requests go straight
// from the DMA function to the GPU and completions straight back; everywhere else the
// kernel's own default stays on. Pure; linear in functions.
[[nodiscard]] std::map<PciAddress, PlatformMask> platformMasks(
    const inventory::PciTopology& pci);

}  // namespace fabric::resource::acs
