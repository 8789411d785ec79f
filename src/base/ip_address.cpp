// SPDX-License-Identifier: Apache-2.0
#include "base/ip_address.hpp"

#include <arpa/inet.h>

#include <algorithm>

namespace fabric {

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
    const std::string terminated(text);
    // inet_pton stops at a zero byte and would pass over what follows it.
    if (terminated.find('\0') != std::string::npos) {
        return std::nullopt;
    }
    IpAddress address;
    if (::inet_pton(AF_INET, terminated.c_str(), address.octets.data()) == 1) {
        return address;
    }
    address.octets = {};
    address.ipv6 = true;
    if (::inet_pton(AF_INET6, terminated.c_str(), address.octets.data()) == 1) {
        return address;
    }
    return std::nullopt;
}

std::optional<IpAddress> IpAddress::fromBytes(std::span<const std::byte> bytes) {
    if (bytes.size() != 4 && bytes.size() != 16) {
        return std::nullopt;
    }
    IpAddress address{.ipv6 = bytes.size() == 16, .octets = {}};
    std::ranges::transform(bytes, address.octets.begin(), [](std::byte byte) {
        return std::to_integer<std::uint8_t>(byte);
    });
    return address;
}

std::string IpAddress::text() const {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const char* const printed =
        ::inet_ntop(ipv6 ? AF_INET6 : AF_INET, octets.data(), text.data(), text.size());
    return printed == nullptr ? std::string() : std::string(printed);
}

bool IpAddress::isMulticast() const {
    return ipv6 ? octets[0] == 0xff : (octets[0] & 0xf0U) == 0xe0;
}

bool IpAddress::isLinkLocal() const {
    return ipv6 ? octets[0] == 0xfe && (octets[1] & 0xc0U) == 0x80
                : octets[0] == 169 && octets[1] == 254;
}

bool IpAddress::sharesPrefix(const IpAddress& other, unsigned length) const {
    if (ipv6 != other.ipv6 || length > 8 * bytes().size()) {
        return false;
    }
    const unsigned whole = length / 8;
    if (!std::equal(octets.begin(), octets.begin() + whole, other.octets.begin())) {
        return false;
    }
    const unsigned rest = length % 8;
    const auto mask = static_cast<std::uint8_t>(0xff00U >> rest);
    return rest == 0 || ((octets[whole] ^ other.octets[whole]) & mask) == 0;
}

}  // namespace fabric
