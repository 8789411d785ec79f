// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/hazard.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace fabric::resource::acs {

namespace {

constexpr unsigned kBridgeBase = 0x06;

// Also the vendors' own variants: mlx5_vfio_pci, nvgrace_gpu_vfio_pci.
bool handsThrough(std::string_view driver) {
    return driver.contains("vfio") || driver == "pci-stub" || driver == "pciback";
}

class GroupTypes {
  public:
    explicit GroupTypes(const host::FileReader& files) : files_(files) {}

    // "" when the group does not translate; else what makes it translate.
    const std::string& translation(int group) {
        const auto known = known_.find(group);
        if (known != known_.end()) {
            return known->second;
        }
        const auto type =
            files_.read(fmt::format("/sys/kernel/iommu_groups/{}/type", group));
        std::string text;
        if (!type) {
            text = "unreadable";
        } else if (trimmed(*type).starts_with("DMA")) {
            text = std::string(trimmed(*type));
        }
        return known_.emplace(group, std::move(text)).first->second;
    }

  private:
    const host::FileReader& files_;
    std::map<int, std::string> known_;
};

Hazard hazardOf(const host::PciFunction& function, GroupTypes& types) {
    Hazard hazard;
    if (handsThrough(function.driver)) {
        hazard.passthrough =
            fmt::format("{} is bound to {}", function.address.text(), function.driver);
    }
    if (function.iommuGroup) {
        const std::string& type = types.translation(*function.iommuGroup);
        if (!type.empty()) {
            hazard.translating = fmt::format("{} is in IOMMU group {} of type {}",
                                             function.address.text(),
                                             *function.iommuGroup,
                                             type);
        }
    }
    return hazard;
}

void keepFirst(std::string& kept, const std::string& text) {
    if (kept.empty()) {
        kept = text;
    }
}

std::vector<PciAddress> selectedAbove(const host::PciFunction& function,
                                      const std::map<PciAddress, Below>& bridges) {
    std::vector<PciAddress> above;
    std::ranges::copy_if(function.bridges,
                         std::back_inserter(above),
                         [&](PciAddress bridge) { return bridges.contains(bridge); });
    return above;
}

}  // namespace

std::map<PciAddress, Hazard> findHazards(const host::FileReader& files,
                                         const inventory::PciTopology& pci,
                                         const std::map<PciAddress, Below>& bridges) {
    std::map<PciAddress, Hazard> hazards;
    GroupTypes types(files);
    for (const host::PciFunction& function : pci.functions()) {
        const auto above = selectedAbove(function, bridges);
        if (above.empty() || function.classCode >> 16U == kBridgeBase) {
            continue;
        }
        const Hazard found = hazardOf(function, types);
        for (const PciAddress bridge : above) {
            keepFirst(hazards[bridge].translating, found.translating);
            keepFirst(hazards[bridge].passthrough, found.passthrough);
        }
    }
    return hazards;
}

}  // namespace fabric::resource::acs
