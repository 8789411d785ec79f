// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fabric {

// An IPv4 or IPv6 address. IPv4 uses the first four octets; the others are zero. IPv4
// addresses sort before IPv6 ones.
struct IpAddress {
    bool ipv6 = false;
    std::array<std::uint8_t, 16> octets{};

    auto operator<=>(const IpAddress&) const = default;

    static constexpr IpAddress v4(std::uint8_t a,
                                  std::uint8_t b,
                                  std::uint8_t c,
                                  std::uint8_t d) {
        return {.ipv6 = false, .octets = {a, b, c, d}};
    }

    // "10.0.1.2", "fe80::1"; std::nullopt when the text is neither.
    static std::optional<IpAddress> parse(std::string_view text);
    // 4 or 16 octets in network order; std::nullopt for any other length.
    static std::optional<IpAddress> fromBytes(std::span<const std::byte> bytes);
    [[nodiscard]] std::string text() const;

    // The octets in use.
    [[nodiscard]] std::span<const std::uint8_t> bytes() const {
        return std::span(octets).first(ipv6 ? 16 : 4);
    }

    // IPv4 224.0.0.0/4 (RFC 5771) or IPv6 ff00::/8 (RFC 4291).
    [[nodiscard]] bool isMulticast() const;
    // IPv6 fe80::/10 (RFC 4291) or IPv4 169.254.0.0/16 (RFC 3927).
    [[nodiscard]] bool isLinkLocal() const;
    // True when both lie in one network of this prefix length (bits).
    [[nodiscard]] bool sharesPrefix(const IpAddress& other, unsigned length) const;
};

}  // namespace fabric
