// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/ip_address.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace fabric::facts {

// Eight octets: node_guid, port GUIDs, the lower half of an IPv6 address.
using Guid = std::array<std::uint8_t, 8>;

// Other addresses for those of a host. Two addresses that share their first n bits
// share the first n bits afterwards, and no more: one network stays one network, and
// equal ones alone stay equal (the scheme of Xu, Fan, Ammar and Moon,
// "Prefix-Preserving IP Address Anonymization", ICNP 2002). What has a meaning of its
// own keeps it: loopback, multicast, private and link-local blocks, the vendor of a
// MAC, a MAC inside an IPv6 address or a GUID, an IPv4 address inside a GID.
class AddressDisguise {
  public:
    // Equal salts give equal answers; nobody who does not know it can undo them.
    explicit AddressDisguise(std::string salt) : salt_(std::move(salt)) {}

    [[nodiscard]] IpAddress of(const IpAddress& address);
    [[nodiscard]] MacAddress of(const MacAddress& address);
    [[nodiscard]] Guid of(const Guid& guid);
    // Digits of the same length, for what is compared and never taken apart: boot ids,
    // switch ids.
    [[nodiscard]] std::string hexDigits(std::string_view digits) const;

  private:
    using Bytes = std::span<std::uint8_t>;
    struct Block;

    // Disguises `bytes` from `from` on. A bit stays as it is while it leads to one of
    // `kept`.
    void permute(std::string_view domain,
                 Bytes bytes,
                 std::size_t from,
                 std::span<const Block> kept);
    [[nodiscard]] const std::bitset<256>& flipsBelow(const std::string& prefix);
    void interfaceId(Bytes address);
    [[nodiscard]] IpAddress v4(IpAddress address);
    [[nodiscard]] IpAddress v6(IpAddress address);

    std::string salt_;
    std::map<std::string, std::bitset<256>> flips_;
};

}  // namespace fabric::facts
