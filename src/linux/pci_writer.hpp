// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/pci.hpp"
#include "linux/libpci_access.hpp"

namespace fabric::linux_host {

// Writes through the same libpci access as the reader.
class PciConfigWriter : public host::PciWriter {
  public:
    PciConfigWriter(const host::PciReader& reader, LibpciAccess& access)
        : reader_(&reader), access_(&access) {}

    [[nodiscard]] Result<host::PciWordUpdate> update(
        const host::PciCapabilityWrite& write) override;

  private:
    [[nodiscard]] Result<std::uint16_t> readWord(PciAddress address,
                                                 std::uint16_t offset) const;
    [[nodiscard]] Result<void> writeWord(PciAddress address,
                                         std::uint16_t offset,
                                         std::uint16_t value);

    const host::PciReader* reader_;
    LibpciAccess* access_;
};

}  // namespace fabric::linux_host
