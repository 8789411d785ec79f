// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The Access Control Services registers of one PCI function (PCI Express Base
// Specification, "ACS Extended Capability"; linux/pci_regs.h PCI_ACS_*). Pure: every
// byte comes through a ConfigSpace.
namespace fabric::resource::acs {

// `length` bytes of config space at `offset`. Errors as host::PciReader::readConfig:
// permission, malformed (the config space ends before), notFound.
using ConfigSpace = std::function<Result<std::vector<std::byte>>(std::uint16_t offset,
                                                                 std::uint16_t length)>;

// Device/port type of the PCI Express capability, PCI_EXP_TYPE_*.
enum class PortType : std::uint8_t {
    endpoint = 0x0,
    legacyEndpoint = 0x1,
    rootPort = 0x4,
    upstreamPort = 0x5,
    downstreamPort = 0x6,
    expressToPciBridge = 0x7,
    pciToExpressBridge = 0x8,
    integratedEndpoint = 0x9,
    eventCollector = 0xA,
};

[[nodiscard]] std::string_view toString(PortType type);

// Only `absent` means that the function has no ACS; the answers after it merely look
// like that to a program that does not ask further.
enum class Presence {
    present,
    absent,
    unprivileged,  // the kernel shows 64 bytes without CAP_SYS_ADMIN
    noAnswer,      // all ones: dead, asleep or behind a link that is down
    damaged,       // a capability list that loops or leaves its region
    truncated,     // a PCI Express function with less than its 4096 bytes
    gone,          // removed since it was listed
    unreadable,    // any other failure
};

struct Registers {
    Presence presence = Presence::absent;
    std::string detail;  // what came back, when the presence is not present or absent
    std::optional<PortType> portType;  // empty: not known, or not PCI Express
    std::uint16_t offset = 0;          // of the extended capability header
    std::uint16_t capability = 0;
    std::uint16_t control = 0;
    // Intel Sunrise Point root ports: capability and control are double words, control
    // at +8 (drivers/pci/quirks.c, pci_quirk_intel_spt_pch_acs_match).
    bool doubleWords = false;

    bool operator==(const Registers&) const = default;

    // Bits of the egress control vector; 0 when egress control is not implemented.
    [[nodiscard]] unsigned egressVectorSize() const;
};

// Walks both capability lists, each at most once per possible position, and reads only
// the words it needs: three double words of the header, one per capability, and the ACS
// registers.
[[nodiscard]] Registers readRegisters(const ConfigSpace& space);

// Whether Address Translation Services are switched on in this function; empty when
// that cannot be read, false without the capability.
[[nodiscard]] std::optional<bool> translationServicesEnabled(const ConfigSpace& space);

// Root ports with the double word layout.
[[nodiscard]] bool isSunrisePointPort(std::uint16_t vendor, std::uint16_t device);

}  // namespace fabric::resource::acs
