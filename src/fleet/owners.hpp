// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fleet/record.hpp"
#include "fleet/texts.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace fabric::fleet {

// Number of a host, in the order in which they came.
using HostId = std::uint32_t;

struct Owner {
    HostId host = 0;
    TextId rail = 0;
    std::optional<MacAddress> mac;  // of the interface with the address

    bool operator==(const Owner&) const = default;
};

struct Subnet {
    IpAddress network;  // bits behind the prefix are 0
    std::uint8_t prefixLength = 0;

    auto operator<=>(const Subnet&) const = default;
    [[nodiscard]] static Subnet of(const OwnAddress& address);
    [[nodiscard]] std::string text() const;
};

// Which rail of which host has an address, a MAC, a place in a subnet.
class Owners {
  public:
    explicit Owners(Texts& texts) : texts_(texts) {}

    // The first pass: takes in one host.
    void add(HostId id, const HostRecord& host);
    // Between the passes.
    void close();

    [[nodiscard]] std::span<const Owner> ofAddress(const IpAddress& address) const;
    [[nodiscard]] std::span<const Owner> ofMac(const MacAddress& mac) const;

    // Addresses and MACs that several rails have, sorted.
    [[nodiscard]] std::vector<IpAddress> sharedAddresses() const;
    [[nodiscard]] std::vector<MacAddress> sharedMacs() const;

    // The rail that most hosts have in this subnet; 0: no one rail.
    [[nodiscard]] TextId railOf(const Subnet& subnet) const;
    // Nobody else is in this subnet, though nearly every host shares that of this rail.
    [[nodiscard]] bool isStray(const Subnet& subnet, TextId rail) const;

  private:
    struct AddressHash {
        std::size_t operator()(const IpAddress& address) const;
    };

    struct MacHash {
        std::size_t operator()(const MacAddress& mac) const;
    };

    struct SubnetUse {
        std::map<TextId, std::size_t> hostsByRail;
        HostId lastHost = 0;
        std::size_t hosts = 0;
        TextId rail = 0;
    };

    struct RailUse {
        std::size_t hosts = 0;   // in any subnet
        std::size_t lonely = 0;  // alone in theirs
    };

    Texts& texts_;
    std::unordered_map<IpAddress, std::vector<Owner>, AddressHash> addresses_;
    std::unordered_map<MacAddress, std::vector<Owner>, MacHash> macs_;
    std::map<Subnet, SubnetUse> subnets_;
    std::map<TextId, RailUse> rails_;
};

}  // namespace fabric::fleet
