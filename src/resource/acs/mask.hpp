// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/settings.hpp"

#include <cstdint>
#include <string>

namespace fabric::resource::acs {

// What to do with the bits of an ACS control register; bits in neither mask are kept.
struct Masks {
    std::uint16_t clear = 0;
    std::uint16_t set = 0;

    bool operator==(const Masks&) const = default;
};

// RR, CR and EC: the bits that send peer-to-peer traffic up to the root complex
// (drivers/pci/p2pdma.c). EC goes with RR, because a port with egress control and
// without request redirect drops the request instead of redirecting it.
inline constexpr Masks kRedirectMasks{.clear = 0x2C, .set = 0};
// Every bit that control registers of all devices share; bits 7 to 12 came later and
// are kept.
inline constexpr Masks kAllMasks{.clear = 0x7F, .set = 0};

// The control register after the masks. A bit that the capability does not offer is not
// set.
[[nodiscard]] std::uint16_t applied(std::uint16_t control,
                                    std::uint16_t capability,
                                    Masks masks);

// "SV RR CR UF", with names for bits 7 to 12 and numbers for the rest; "none" for 0.
[[nodiscard]] std::string bitNames(std::uint16_t control);

// "0x001d", as in reports.
[[nodiscard]] std::string hex(std::uint16_t word);

}  // namespace fabric::resource::acs
