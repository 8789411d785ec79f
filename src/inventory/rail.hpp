// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/quantity.hpp"
#include "base/result.hpp"
#include "host/host.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fabric::inventory {

// What kind of function a net device stands for. Only `physical` has DCB.
enum class FunctionKind {
    physical,
    virtualFunction,
    subfunction,
    representor,
    stacked,
    software
};

// A net device with its own DCB, ECN and pause: the physical port below a rail.
struct PhysicalPort {
    IfIndex link;
    std::string name;
    std::optional<PciAddress> pci;
    std::string driver;    // "mlx5_core"; "" when none is bound
    std::string firmware;  // "" when not told
};

// An interface of the rail that may own addresses: the port itself, a VLAN, bond or
// bridge above it.
struct RailInterface {
    IfIndex link;
    std::string name;
    std::string kind;  // IFLA_INFO_KIND, "" for hardware
};

// One candidate rail: an RDMA port with its net device, or a net device without one.
// Two bonded ports of one NIC are one rail with two physical ports, named after the
// bond; its kind is that of the ports.
struct Rail {
    std::string name;  // its interface name; "mlx5_0/1" for a port without a net device
    IfIndex link;      // none for a port without a net device
    FunctionKind kind = FunctionKind::software;
    std::optional<host::RdmaPort> rdma;
    std::vector<host::RdmaPort>
        otherRdma;  // further RDMA ports on the same net device (rxe beside hardware)
    std::optional<PciAddress> pci;
    std::string vendor;  // "15b3", "" unknown
    std::string device;  // "1021"
    std::string driver;
    std::string firmware;
    std::optional<MacAddress> mac;
    std::optional<MacAddress> permanentMac;
    std::optional<int> numaNode;
    bool carrier = false;
    std::vector<PhysicalPort>
        ports;  // where DCB, ECN and pause act; may be empty (VF, veth)
    std::vector<RailInterface>
        interfaces;          // where mtu, arp and neighbours act; first is `link`
    std::string resolution;  // how `ports` was found when it is not `link` itself: "VF
                             // of ens1f0np0"
    // The interface whose default route (IPv4 or IPv6) runs over this rail or its
    // ports,
    // "" none.
    std::string defaultRouteVia;
};

// Every candidate rail, sorted by name. One link dump, one RDMA dump, one route dump.
[[nodiscard]] Result<std::vector<Rail>> observeRails(const host::Reader& host);

}  // namespace fabric::inventory
