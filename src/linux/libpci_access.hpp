// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "linux/root_directory.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

// NOLINTBEGIN(readability-identifier-naming): names of pci/pci.h
struct pci_access;
struct pci_dev;

// NOLINTEND(readability-identifier-naming)

namespace fabric::linux_host {

// libpci's sysfs back-end, opened at first use. The function that was used last is kept
// with its descriptor, so that walking the capabilities of one function opens its
// `config` file once.
class LibpciAccess {
  public:
    explicit LibpciAccess(std::string sysfsPath) : sysfsPath_(std::move(sysfsPath)) {}

    // What libpci said through its warning or error callback. The errno is the one that
    // stood when it complained; libpci itself passes none on.
    struct Complaint {
        int sysErrno = 0;
        std::string text;
    };

    // True when all bytes came. libpci fills the buffer with ones otherwise.
    [[nodiscard]] bool read(PciAddress address,
                            std::uint16_t offset,
                            std::span<std::byte> bytes);

    // Runs `use` on the function. `use` must own nothing that needs a destructor: an
    // error of libpci leaves it by longjmp, since libpci's error callback must not
    // return and no exception may cross a C frame. False when that happened, or when
    // `use` said false; complaint() then tells why.
    [[nodiscard]] bool with(PciAddress address,
                            bool (*use)(pci_dev* device, void* argument),
                            void* argument);

    [[nodiscard]] static Complaint complaint();

    // Drops the descriptor: after a refused write libpci would keep failing reads of
    // the same function.
    void forget();

  private:
    struct AccessCloser {
        void operator()(pci_access* access) const;
    };

    struct DeviceCloser {
        void operator()(pci_dev* device) const;
    };

    [[nodiscard]] bool open();
    [[nodiscard]] bool select(PciAddress address);

    std::string sysfsPath_;
    std::unique_ptr<pci_access, AccessCloser> access_;
    std::unique_ptr<pci_dev, DeviceCloser> device_;
    std::optional<PciAddress> selected_;
};

}  // namespace fabric::linux_host
