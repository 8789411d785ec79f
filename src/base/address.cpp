// SPDX-License-Identifier: Apache-2.0
#include "base/address.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace fabric {

namespace {

std::optional<unsigned long long> parseHex(std::string_view text,
                                           std::size_t minDigits,
                                           std::size_t maxDigits) {
    if (text.size() < minDigits || text.size() > maxDigits) {
        return std::nullopt;
    }
    return parseUnsigned(text, 16);
}

}  // namespace

std::optional<PciAddress> PciAddress::parse(std::string_view text) {
    constexpr std::size_t kTailLength = 8;  // ":bb:dd.f"
    if (text.size() < 4 + kTailLength) {
        return std::nullopt;
    }
    const std::string_view tail = text.substr(text.size() - kTailLength);
    if (tail[0] != ':' || tail[3] != ':' || tail[6] != '.') {
        return std::nullopt;
    }
    const auto domain = parseHex(text.substr(0, text.size() - kTailLength), 4, 8);
    const auto bus = parseHex(tail.substr(1, 2), 2, 2);
    const auto device = parseHex(tail.substr(4, 2), 2, 2);
    const auto function = parseHex(tail.substr(7, 1), 1, 1);
    if (!domain || !bus || !device || !function || *device > 31 || *function > 7) {
        return std::nullopt;
    }
    return PciAddress{.domain = static_cast<std::uint32_t>(*domain),
                      .bus = static_cast<std::uint8_t>(*bus),
                      .device = static_cast<std::uint8_t>(*device),
                      .function = static_cast<std::uint8_t>(*function)};
}

std::string PciAddress::text() const {
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, device, function);
}

std::optional<MacAddress> MacAddress::parse(std::string_view text) {
    const auto pieces = split(text, ':');
    MacAddress address;
    if (pieces.size() != address.octets.size()) {
        return std::nullopt;
    }
    for (std::size_t at = 0; at < pieces.size(); ++at) {
        const auto octet = parseHex(pieces[at], 2, 2);
        if (!octet) {
            return std::nullopt;
        }
        address.octets[at] = static_cast<std::uint8_t>(*octet);
    }
    return address;
}

std::string MacAddress::text() const {
    return fmt::format("{:02x}", fmt::join(octets, ":"));
}

}  // namespace fabric
