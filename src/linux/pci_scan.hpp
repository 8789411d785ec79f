// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/pci.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fabric::linux_host {

inline constexpr std::string_view kPciDevices = "/sys/bus/pci/devices";

// Where a function hangs, as the link /sys/bus/pci/devices/ADDRESS tells:
// "../../../devices/pci0000:00/0000:00:01.0/0000:01:00.0".
struct PciPlace {
    std::string hostBridge;
    std::vector<PciAddress> bridges;
};

// The host bridge is the last "pciDDDD:BB" on the way: below Intel VMD a second domain
// starts in the middle of the path. Pure.
[[nodiscard]] PciPlace placeInPath(std::string_view path);

// Every function of every domain, sorted. A function that disappears during the scan is
// left out. One pass; the cost is linear in the number of functions.
[[nodiscard]] Result<std::vector<host::PciFunction>> scanPciFunctions(
    const host::FileReader& files);

}  // namespace fabric::linux_host
