// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_host.hpp"
#include "linux/temporary_directory.hpp"

namespace fabric::hosts {

// Writes the functions of `machine` as files and links below `root`, as sysfs shows
// them
// (/sys/devices, /sys/bus/pci/devices, IOMMU groups as links), with plain `config`
// files that libpci reads and writes.
void writeSysfs(fake::FakeHost& machine,
                const linux_host::testing::TemporaryDirectory& root);

}  // namespace fabric::hosts
