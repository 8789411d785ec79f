// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/mask.hpp"

#include <linux/pci_regs.h>

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace fabric::resource::acs {

namespace {

constexpr std::array<std::pair<std::uint16_t, std::string_view>, 9> kNames{{
    {PCI_ACS_SV, "SV"},
    {PCI_ACS_TB, "TB"},
    {PCI_ACS_RR, "RR"},
    {PCI_ACS_CR, "CR"},
    {PCI_ACS_UF, "UF"},
    {PCI_ACS_EC, "EC"},
    {PCI_ACS_DT, "DT"},
    // Enhanced ACS: I/O request blocking, unclaimed request redirect.
    {0x0080, "IORB"},
    {0x1000, "URR"},
}};

void addName(std::string& text, std::string_view name) {
    text += text.empty() ? "" : " ";
    text += name;
}

// Two-bit fields: direct, blocked, redirected, reserved.
void addField(std::string& text, std::string_view name, unsigned value) {
    if (value != 0) {
        addName(text, fmt::format("{}={}", name, value));
    }
}

}  // namespace

std::uint16_t applied(std::uint16_t control, std::uint16_t capability, Masks masks) {
    const unsigned cleared = control & ~unsigned{masks.clear};
    return static_cast<std::uint16_t>(cleared | (masks.set & capability));
}

std::string bitNames(std::uint16_t control) {
    std::string text;
    for (const auto& [bit, name] : kNames) {
        if ((control & bit) != 0) {
            addName(text, name);
        }
    }
    addField(text, "DSP-target", (control >> 8U) & 3U);
    addField(text, "USP-target", (control >> 10U) & 3U);
    for (unsigned bit = 13; bit < 16; ++bit) {
        if (((control >> bit) & 1U) != 0) {
            addName(text, fmt::format("bit{}", bit));
        }
    }
    return text.empty() ? "none" : text;
}

std::string hex(std::uint16_t word) {
    return fmt::format("0x{:04x}", word);
}

}  // namespace fabric::resource::acs
