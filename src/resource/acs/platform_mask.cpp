// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/platform_mask.hpp"

#include "resource/acs/device_ids.hpp"

#include <linux/pci_regs.h>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fabric::resource::acs {

namespace {

using inventory::PciTopology;

// What the kernel itself switches on (drivers/pci/pci.c, pci_std_enable_acs).
constexpr Masks kKernelDefault{
    .clear = 0, .set = PCI_ACS_SV | PCI_ACS_RR | PCI_ACS_CR | PCI_ACS_UF};
// Vera root ports advertise CR but keep it off.
constexpr Masks kVeraDefault{.clear = PCI_ACS_CR,
                             .set = PCI_ACS_SV | PCI_ACS_RR | PCI_ACS_UF};
// Requests of the DMA function turn round in the switch.
constexpr Masks kDmaPort{.clear = PCI_ACS_RR,
                         .set = PCI_ACS_SV | PCI_ACS_CR | PCI_ACS_UF};
// Completions of the GPU turn round in the switch.
constexpr Masks kGpuPort{.clear = PCI_ACS_CR,
                         .set = PCI_ACS_SV | PCI_ACS_RR | PCI_ACS_UF};
// Without source validation the kernel puts the whole segment into one IOMMU group,
// which the GPU driver asks for.
constexpr Masks kGraceComplexRoot{.clear = PCI_ACS_SV,
                                  .set = PCI_ACS_RR | PCI_ACS_CR | PCI_ACS_UF};
constexpr Masks kVeraComplexRoot{.clear = PCI_ACS_SV | PCI_ACS_CR,
                                 .set = PCI_ACS_RR | PCI_ACS_UF};

bool isRootPort(const host::PciFunction& function) {
    return isGraceRootPort(function) || isVeraRootPort(function);
}

bool isNvidiaGpu(const host::PciFunction& function) {
    return function.vendor == kNvidia && function.classCode >> 16U == 0x03;
}

using GpusByRoot = std::map<PciAddress, std::vector<const host::PciFunction*>>;

GpusByRoot gpusByRoot(const PciTopology& pci) {
    GpusByRoot found;
    for (const host::PciFunction& function : pci.functions()) {
        if (isNvidiaGpu(function) && !function.virtualFunction &&
            !function.bridges.empty()) {
            found[function.bridges.front()].push_back(&function);
        }
    }
    return found;
}

// The three ports of a Data Direct complex that get masks of their own.
struct Complex {
    const host::PciFunction* root = nullptr;
    PciAddress dmaPort;
    PciAddress gpuPort;
};

bool isBridge(const PciTopology& pci,
              PciAddress address,
              bool (*matches)(const host::PciFunction&)) {
    const host::PciFunction* const bridge = pci.find(address);
    return bridge != nullptr && matches(*bridge);
}

// Empty when the way from the DMA function or from the GPU is not the known one.
std::optional<Complex> complexOf(const PciTopology& pci,
                                 const host::PciFunction& dma,
                                 const GpusByRoot& gpus) {
    const auto& way = dma.bridges;
    if (way.size() != 3 || !isBridge(pci, way[0], isRootPort) ||
        !isBridge(pci, way[1], isNicSwitchPort) ||
        !isBridge(pci, way[2], isNicSwitchPort)) {
        return std::nullopt;
    }
    const auto below = gpus.find(way[0]);
    if (below == gpus.end() || below->second.size() != 1) {
        return std::nullopt;
    }
    const auto& gpuWay = below->second.front()->bridges;
    if (gpuWay.size() < 3 || gpuWay[1] != way[1] || gpuWay[2] == way[2] ||
        !isBridge(pci, gpuWay[2], isNicSwitchPort)) {
        return std::nullopt;
    }
    return Complex{.root = pci.find(way[0]), .dmaPort = way[2], .gpuPort = gpuWay[2]};
}

std::map<PciAddress, PlatformMask> defaults(const PciTopology& pci) {
    std::map<PciAddress, PlatformMask> masks;
    for (const host::PciFunction& function : pci.functions()) {
        if (isNicSwitchPort(function) || isGraceRootPort(function)) {
            masks[function.address] = {
                kKernelDefault, "port outside the direct path", {}};
        } else if (isVeraRootPort(function)) {
            masks[function.address] = {kVeraDefault, "Vera root port", {}};
        }
    }
    return masks;
}

}  // namespace

bool hasPlatformMasks(const PciTopology& pci) {
    return std::ranges::any_of(pci.functions(), [](const host::PciFunction& function) {
        return isRootPort(function) || isDataDirect(function);
    });
}

std::map<PciAddress, PlatformMask> platformMasks(const PciTopology& pci) {
    std::map<PciAddress, PlatformMask> masks = defaults(pci);
    const GpusByRoot gpus = gpusByRoot(pci);
    for (const host::PciFunction& function : pci.functions()) {
        if (!isDataDirect(function)) {
            continue;
        }
        if (const auto found = complexOf(pci, function, gpus)) {
            const bool vera = isVeraRootPort(*found->root);
            masks[found->root->address] = {vera ? kVeraComplexRoot : kGraceComplexRoot,
                                           "root port of a Data Direct complex",
                                           {}};
            masks[found->dmaPort] = {kDmaPort, "port of the Data Direct function", {}};
            masks[found->gpuPort] = {kGpuPort, "port of the GPU", {}};
            continue;
        }
        for (const PciAddress bridge : function.bridges) {
            masks[bridge].refusal = fmt::format(
                "the way from Data Direct function {} to its GPU is not one "
                "that masks are known for",
                function.address.text());
        }
    }
    return masks;
}

}  // namespace fabric::resource::acs
