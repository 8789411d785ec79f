// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/ip_address.hpp"
#include "fleet/trait.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fabric::fleet {

// What one host or rail says of one trait. Text comes from the facts and is not
// escaped.
struct Reading {
    Trait trait = Trait::rails;
    std::string text;   // the value, or why there is none
    bool known = true;  // false: it could not be read

    bool operator==(const Reading&) const = default;
};

// One address of a rail, with the MAC of the interface that owns it.
struct OwnAddress {
    IpAddress address;
    std::uint8_t prefixLength = 0;
    std::optional<MacAddress> mac;

    bool operator==(const OwnAddress&) const = default;
};

struct RailRecord {
    std::string name;
    std::string model;   // within which driver and firmware are compared: "15b3:1021"
    std::string device;  // "mlx5_0", "" none
    std::optional<std::uint32_t> maxSrq;  // most receive slots that it takes
    std::vector<Reading> readings;
    std::vector<MacAddress> macs;  // of all its interfaces, sorted
    std::vector<OwnAddress> addresses;

    bool operator==(const RailRecord&) const = default;
};

// One entry of the neighbour cache that the kernel sends by.
struct NeighbourRecord {
    std::uint16_t rail = 0;  // index in HostRecord::rails
    bool fixed = false;      // permanent or noarp: survives a flush
    IpAddress address;
    MacAddress mac;

    bool operator==(const NeighbourRecord&) const = default;
};

// What the comparison needs of one host: a few kilobytes, whatever its facts weigh.
struct HostRecord {
    std::string name;
    std::string origin;  // the document that told it, for people
    std::string taken;
    std::optional<std::uint64_t> askedSrq;  // receive slots that its server asks for
    std::vector<Reading> readings;          // of the host as a whole
    std::vector<RailRecord> rails;
    std::vector<NeighbourRecord> neighbours;

    bool operator==(const HostRecord&) const = default;
};

}  // namespace fabric::fleet
