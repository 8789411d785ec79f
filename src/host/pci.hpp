// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fabric::host {

// One PCI function as sysfs shows it.
struct PciFunction {
    PciAddress address;
    std::string hostBridge;  // "pci0000:00", the root of its sysfs path
    std::vector<PciAddress>
        bridges;  // from the root port down to its parent; empty on a root bus
    std::uint16_t vendor = 0;
    std::uint16_t device = 0;
    std::uint32_t classCode = 0;  // 24 bits: base, sub, interface
    std::string driver;           // empty: none bound
    std::optional<int> numaNode;  // empty: unknown (-1)
    std::optional<int> iommuGroup;
    bool virtualFunction = false;  // has a `physfn` link
};

// What one masked write did.
struct PciWordUpdate {
    std::uint16_t before = 0;
    std::uint16_t written = 0;
};

// A masked write to a 16-bit register of an extended capability. The capability's
// header at `capability` must still carry `capabilityId` when the write happens.
struct PciCapabilityWrite {
    PciAddress address;
    std::uint16_t capabilityId = 0;
    std::uint16_t capability = 0;      // offset of the extended capability header
    std::uint16_t registerOffset = 0;  // from the header
    std::uint16_t clear = 0;           // bits to clear
    std::uint16_t set = 0;             // bits to set

    bool operator==(const PciCapabilityWrite&) const = default;
};

class PciReader {
  public:
    virtual ~PciReader() = default;

    // Every function of every domain, sorted by address.
    [[nodiscard]] virtual Result<std::vector<PciFunction>> functions() const = 0;
    // `length` bytes of config space at `offset`. A short answer is an Error of kind
    // permission when the caller lacks CAP_SYS_ADMIN (the kernel then shows 64 bytes),
    // else malformed; a function that is gone is notFound. All ones are returned as
    // read.
    [[nodiscard]] virtual Result<std::vector<std::byte>> readConfig(
        PciAddress address, std::uint16_t offset, std::uint16_t length) const = 0;
};

class PciWriter {
  public:
    virtual ~PciWriter() = default;
    // Reads the word, writes it back with the masks applied, nothing when it would be
    // equal. A refusal (lockdown: EPERM, read-only sysfs: EROFS) is an Error with its
    // errno.
    [[nodiscard]] virtual Result<PciWordUpdate> update(
        const PciCapabilityWrite& write) = 0;
};

}  // namespace fabric::host
