// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/pci.hpp"
#include "linux/libpci_access.hpp"

namespace fabric::linux_host {

// Functions from sysfs, their config space through libpci.
class PciConfigReader : public host::PciReader {
  public:
    PciConfigReader(const host::FileReader& files,
                    const RootDirectory& root,
                    LibpciAccess& access)
        : files_(&files), root_(&root), access_(&access) {}

    [[nodiscard]] Result<std::vector<host::PciFunction>> functions() const override;
    [[nodiscard]] Result<std::vector<std::byte>> readConfig(
        PciAddress address, std::uint16_t offset, std::uint16_t length) const override;

  private:
    // libpci says only that it failed: looks for the reason itself.
    [[nodiscard]] Result<std::vector<std::byte>> readDirectly(
        PciAddress address, std::uint16_t offset, std::uint16_t length) const;

    const host::FileReader* files_;
    const RootDirectory* root_;
    LibpciAccess* access_;
};

}  // namespace fabric::linux_host
