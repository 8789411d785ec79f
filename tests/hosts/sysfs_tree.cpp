// SPDX-License-Identifier: Apache-2.0
#include "hosts/sysfs_tree.hpp"

#include <fmt/format.h>

#include <string>

namespace fabric::hosts {

namespace {

using linux_host::testing::TemporaryDirectory;

std::string placeOf(const host::PciFunction& function) {
    std::string place = function.hostBridge;
    for (const PciAddress bridge : function.bridges) {
        place += "/" + bridge.text();
    }
    return place + "/" + function.address.text();
}

void link(const TemporaryDirectory& root,
          const std::string& from,
          const std::string& target) {
    const std::filesystem::path path = root.path() / from;
    std::filesystem::create_directories(path.parent_path());
    std::filesystem::create_symlink(target, path);
}

void writeFunction(const fake::FakeFunction& function, const TemporaryDirectory& root) {
    const host::PciFunction& info = function.info;
    const std::string place = "sys/devices/" + placeOf(info);
    const auto* const bytes = reinterpret_cast<const char*>(function.config.data());
    root.write(place + "/config", std::string(bytes, function.config.size()));
    root.write(place + "/vendor", fmt::format("0x{:04x}\n", info.vendor));
    root.write(place + "/device", fmt::format("0x{:04x}\n", info.device));
    root.write(place + "/class", fmt::format("0x{:06x}\n", info.classCode));
    root.write(place + "/numa_node", fmt::format("{}\n", info.numaNode.value_or(-1)));
    link(root,
         "sys/bus/pci/devices/" + info.address.text(),
         "../../../devices/" + placeOf(info));
    if (!info.driver.empty()) {
        link(root, place + "/driver", "/sys/bus/pci/drivers/" + info.driver);
    }
    if (info.iommuGroup) {
        link(root,
             place + "/iommu_group",
             fmt::format("/sys/kernel/iommu_groups/{}", *info.iommuGroup));
    }
}

}  // namespace

void writeSysfs(fake::FakeHost& machine, const TemporaryDirectory& root) {
    const auto functions = machine.pci.functions().value();
    for (const host::PciFunction& function : functions) {
        writeFunction(*machine.pci.find(function.address), root);
    }
}

}  // namespace fabric::hosts
