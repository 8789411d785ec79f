// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "profile/settings.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fabric::resource::acs {

// What one port should hold.
struct PortGoal {
    PciAddress address;
    std::uint16_t capability = 0;
    std::uint16_t control = 0;
};

// What makes this kernel itself write the goals at boot, where it lets nobody else do
// it and after every reset.
struct KernelParameter {
    std::string text;  // "pci=config_acs=...", "" when this kernel has none
    std::string note;  // what to know about it, "" nothing

    // Both as one instruction to a person.
    [[nodiscard]] std::string advice() const;
};

// From 6.11 on pci=config_acs= names every bit; from 4.19 on pci=disable_acs_redir=
// clears RR, CR and EC (Documentation/admin-guide/kernel-parameters.txt). Bits that
// config_acs leaves open fall back to the firmware's value and not to the kernel's
// default, so all bits that the port has are spelled out. Domains are always written,
// since the kernel reads a missing one as 0.
[[nodiscard]] KernelParameter kernelParameter(std::string_view release,
                                              profile::AcsClear clear,
                                              std::span<const PortGoal> ports);

// The ACS options on a kernel command line, as written: "config_acs=...". They are a
// wish, never a proof.
[[nodiscard]] std::string acsOptions(std::string_view commandLine);

}  // namespace fabric::resource::acs
