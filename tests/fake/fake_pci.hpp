// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/pci.hpp"

#include <map>
#include <optional>
#include <vector>

namespace fabric::fake {

// One function with its config space and what is odd about it.
struct FakeFunction {
    host::PciFunction info;
    std::vector<std::byte> config;  // 256 or 4096 bytes, or fewer when truncated
    std::size_t visible = 4096;     // bytes that this reader may see; 64: no privilege
    bool allOnes = false;           // dead or asleep: every byte reads 0xff
    bool gone = false;              // removed: reads and writes find nothing
    int refuseWrite = 0;            // errno of every write: EPERM lockdown, EROFS
    bool ignoreWrite = false;       // writes answer success and change nothing
    std::map<std::uint16_t, std::uint16_t> readOnly;  // by offset: bits that never move

    [[nodiscard]] std::uint16_t word(std::uint16_t offset) const;
    void setWord(std::uint16_t offset, std::uint16_t value);
    void setDword(std::uint16_t offset, std::uint32_t value);
    // An extended capability header; `next` is the offset of the next one, 0 for none.
    void addExtendedCapability(std::uint16_t offset,
                               std::uint16_t id,
                               std::uint16_t next,
                               std::uint8_t version = 1);
};

struct ConfigWrite {
    host::PciCapabilityWrite request;
    host::PciWordUpdate done;  // before == written: nothing was sent
    int sysErrno = 0;
};

class FakePci : public host::PciReader, public host::PciWriter {
  public:
    // A function with 4096 bytes of config space: ids and class filled in, a PCI
    // Express capability at 0x40, no extended capability.
    FakeFunction& add(host::PciFunction info);
    [[nodiscard]] FakeFunction* find(PciAddress address);

    std::optional<Error> functionsError;  // answer of functions()
    std::vector<ConfigWrite> writes;      // every update() that reached a function
    mutable std::size_t scans = 0;        // calls of functions()

    [[nodiscard]] Result<std::vector<host::PciFunction>> functions() const override;
    [[nodiscard]] Result<std::vector<std::byte>> readConfig(
        PciAddress address, std::uint16_t offset, std::uint16_t length) const override;
    [[nodiscard]] Result<host::PciWordUpdate> update(
        const host::PciCapabilityWrite& write) override;

  private:
    std::map<PciAddress, FakeFunction> functions_;
};

}  // namespace fabric::fake
