// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fabric {

// A PCI function: domain:bus:device.function. Domains have four or more hexadecimal
// digits (Intel VMD starts at 10000).
struct PciAddress {
    std::uint32_t domain = 0;
    std::uint8_t bus = 0;
    std::uint8_t device = 0;    // 0..31
    std::uint8_t function = 0;  // 0..7

    auto operator<=>(const PciAddress&) const = default;

    // "0000:1a:00.0"; std::nullopt when the text is not exactly such an address.
    static std::optional<PciAddress> parse(std::string_view text);
    [[nodiscard]] std::string text() const;
};

// A 48-bit link-layer address.
struct MacAddress {
    std::array<std::uint8_t, 6> octets{};

    auto operator<=>(const MacAddress&) const = default;

    // "b8:ce:f6:00:00:01", either case; std::nullopt when it is not one.
    static std::optional<MacAddress> parse(std::string_view text);
    [[nodiscard]] std::string text() const;
};

}  // namespace fabric
