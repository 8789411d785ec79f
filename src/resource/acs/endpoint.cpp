// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/endpoint.hpp"

#include "base/text.hpp"
#include "resource/acs/device_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace fabric::resource::acs {

namespace {

// Class code without the programming interface (PCI Code and ID Assignment).
constexpr unsigned kVga = 0x0300;
constexpr unsigned k3dController = 0x0302;
constexpr unsigned kOtherDisplay = 0x0380;
constexpr unsigned kAccelerator = 0x1200;
constexpr unsigned kNetworkBase = 0x02;

struct GpuClass {
    std::uint16_t vendor;
    unsigned classCode;
};

// A class alone is not enough: board management controllers are VGA devices too
// (102b, 1a03), and so are no NVSwitches (0680), audio (0403) or USB functions.
constexpr std::array<GpuClass, 7> kGpus{{
    {kNvidia, kVga},
    {kNvidia, k3dController},
    {kAmd, kVga},
    {kAmd, kOtherDisplay},
    {kAmd, kAccelerator},
    {kIntel, kVga},
    {kIntel, kOtherDisplay},
}};

bool isNetwork(const host::PciFunction& function) {
    return function.classCode >> 16U == kNetworkBase;
}

bool isGpu(const host::PciFunction& function) {
    const bool listed = std::ranges::any_of(kGpus, [&](const GpuClass& gpu) {
        return gpu.vendor == function.vendor &&
               gpu.classCode == function.classCode >> 8U;
    });
    const bool processorGraphics =
        function.vendor == kIntel && function.bridges.empty();
    return listed && !processorGraphics;
}

std::optional<EndpointKind> byTable(const host::PciFunction& function,
                                    const std::set<PciAddress>& rdma) {
    if (isDataDirect(function) ||
        (isNetwork(function) && rdma.contains(function.address))) {
        return EndpointKind::nic;
    }
    return isGpu(function) ? std::optional(EndpointKind::gpu) : std::nullopt;
}

bool globOrAny(const std::string& pattern, unsigned value, int digits) {
    return pattern.empty() ||
           globMatches(pattern, fmt::format("{:0{}x}", value, digits));
}

std::optional<EndpointKind> bySelectors(
    const host::PciFunction& function,
    std::span<const profile::EndpointSelector> selectors) {
    const bool selected =
        std::ranges::any_of(selectors, [&](const profile::EndpointSelector& selector) {
            return globOrAny(selector.vendor, function.vendor, 4) &&
                   globOrAny(selector.device, function.device, 4) &&
                   globOrAny(selector.classCode, function.classCode, 6);
        });
    if (!selected) {
        return std::nullopt;
    }
    return isNetwork(function) || isDataDirect(function) ? EndpointKind::nic
                                                         : EndpointKind::gpu;
}

// Net devices by index, and what is enslaved to what.
class LinkTree {
  public:
    explicit LinkTree(const std::vector<host::Link>& links) {
        for (const host::Link& link : links) {
            byIndex_.emplace(link.index, &link);
            if (!link.master.none()) {
                members_.emplace(link.master, link.index);
            }
        }
    }

    // Adds the PCI functions below `index`; `seen` ends cycles across namespaces.
    void collect(IfIndex index,
                 std::set<IfIndex>& seen,
                 std::set<PciAddress>& found) const {
        const auto entry = byIndex_.find(index);
        if (entry == byIndex_.end() || !seen.insert(index).second) {
            return;
        }
        const host::Link& link = *entry->second;
        if (link.parentBus == "pci") {
            if (const auto address = PciAddress::parse(link.parentDevice)) {
                found.insert(*address);
            }
            return;
        }
        collect(link.lower, seen, found);
        const auto [first, last] = members_.equal_range(index);
        for (auto member = first; member != last; ++member) {
            collect(member->second, seen, found);
        }
    }

  private:
    std::map<IfIndex, const host::Link*> byIndex_;
    std::multimap<IfIndex, IfIndex> members_;
};

}  // namespace

Result<std::set<PciAddress>> rdmaFunctions(const host::Reader& host) {
    const std::vector<host::RdmaPort> ports = TRY(host.rdma.ports());
    std::set<PciAddress> found;
    std::vector<IfIndex> software;
    for (const host::RdmaPort& port : ports) {
        if (const auto address = PciAddress::parse(port.pci)) {
            found.insert(*address);
        } else if (!port.link.none()) {
            software.push_back(port.link);
        }
    }
    if (software.empty()) {
        return found;
    }
    const std::vector<host::Link> links = TRY(host.links.links());
    const LinkTree tree(links);
    std::set<IfIndex> seen;
    for (const IfIndex link : software) {
        tree.collect(link, seen, found);
    }
    return found;
}

std::vector<Endpoint> findEndpoints(
    const inventory::PciTopology& pci,
    const std::set<PciAddress>& rdma,
    std::span<const profile::EndpointSelector> selectors) {
    std::vector<Endpoint> endpoints;
    for (const host::PciFunction& function : pci.functions()) {
        if (function.virtualFunction) {
            continue;
        }
        const auto kind = selectors.empty() ? byTable(function, rdma)
                                            : bySelectors(function, selectors);
        if (kind) {
            endpoints.push_back({.function = &function, .kind = *kind});
        }
    }
    return endpoints;
}

}  // namespace fabric::resource::acs
