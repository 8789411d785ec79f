// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What makes a thing the same thing later. Names, interface indexes, RDMA device names
// and bus numbers are given anew at any boot, so none of them identifies.
namespace fabric::snapshot {

// An adapter's port: what it is and the address that its maker gave it.
struct NicIdentity {
    std::uint16_t vendor = 0;  // PCI; 0 with a device that has no PCI parent
    std::uint16_t device = 0;
    MacAddress permanentMac;

    auto operator<=>(const NicIdentity&) const = default;
    // "15b3:1021 b8:ce:f6:00:00:01"
    [[nodiscard]] std::string text() const;
};

// A net device. One that is made of software (VLAN, bond, bridge) is named by its
// configuration, so it is the same by kind, name and the adapters that it stands on.
struct LinkIdentity {
    std::optional<NicIdentity> nic;  // empty: made of software
    std::string kind = {};           // IFLA_INFO_KIND; with hardware ""
    std::string name = {};           // with hardware ""
    std::vector<NicIdentity> on = {};

    auto operator<=>(const LinkIdentity&) const = default;
    // "15b3:1021 b8:ce:f6:00:00:01", "vlan rail0.100"
    [[nodiscard]] std::string text() const;
};

struct PciStep {
    std::uint8_t device = 0;
    std::uint8_t function = 0;
    std::uint16_t vendor = 0;
    std::uint16_t deviceId = 0;

    auto operator<=>(const PciStep&) const = default;
};

// A PCI function: the devices and functions on the way from its root, each with what it
// is. The root is known by its path in the firmware's namespace where there is one,
// since the bus number of a root may change too.
struct PciIdentity {
    std::string root;          // "pci0000:00"
    std::string firmwareRoot;  // "\_SB_.PC00", "" not told
    std::vector<PciStep> way;  // the function itself is last

    auto operator<=>(const PciIdentity&) const = default;
    // True when both name one function; by the firmware's path when both have one.
    [[nodiscard]] bool sameAs(const PciIdentity& other) const;
    // "\_SB_.PC00/02.0/00.0 1b36:000c"
    [[nodiscard]] std::string text() const;
};

}  // namespace fabric::snapshot
