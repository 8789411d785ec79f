// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"
#include "host/host.hpp"
#include "inventory/rail.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fabric::inventory {

// The net devices of one dump and how they stand on each other: a VLAN on its lower
// device, a bond, team or bridge on its members. Pure; pointers live as long as the
// graph.
class LinkGraph {
  public:
    using Links = std::vector<const host::Link*>;

    explicit LinkGraph(std::vector<host::Link> links);

    [[nodiscard]] const std::vector<host::Link>& links() const { return links_; }

    [[nodiscard]] const host::Link* find(IfIndex index) const;
    // The links that have `master` above them, in the order of the dump.
    [[nodiscard]] Links members(IfIndex master) const;
    // The links whose PCI parent is this function: its own net devices and, in
    // switchdev mode, the representors.
    [[nodiscard]] Links onFunction(PciAddress address) const;
    // The links directly below: the lower device and the members. A veth's peer is not
    // below it.
    [[nodiscard]] Links directlyBelow(const host::Link& link) const;
    // `link`, then the VLANs, bonds, teams and bridges that stand on it, nearest first.
    [[nodiscard]] Links withInterfacesAbove(const host::Link& link) const;

  private:
    std::vector<host::Link> links_;
    std::map<IfIndex, const host::Link*> byIndex_;
    std::multimap<IfIndex, const host::Link*> byMaster_;
    std::multimap<IfIndex, const host::Link*> byLower_;
    std::multimap<PciAddress, const host::Link*> byFunction_;
};

// True for devices that only pass traffic on to others: vlan, bond, team, bridge,
// macvlan, ...
[[nodiscard]] bool isStacked(const host::Link& link);
// True for the loopback device, which is ifindex 1 of its namespace whatever it is
// called (include/net/flow.h, LOOPBACK_IFINDEX).
[[nodiscard]] bool isLoopback(const host::Link& link);
// The PCI function that the kernel names as the parent of the net device.
[[nodiscard]] std::optional<PciAddress> pciParent(const host::Link& link);

// What kind of function `link` stands for. Reads one link of sysfs for a device with a
// PCI parent; fails only when sysfs answers with something else than "no such file".
[[nodiscard]] Result<FunctionKind> functionKind(const host::FileReader& files,
                                                const host::Link& link);

// Where the controls of a physical port of `link` are, and how that was found.
struct PortResolution {
    LinkGraph::Links ports;  // may be empty
    std::string how;         // "" when the link is its own port
};

[[nodiscard]] Result<PortResolution> resolvePorts(const host::FileReader& files,
                                                  const LinkGraph& graph,
                                                  const host::Link& link);

// Every link that shares fate with `link` from below: itself, what it stands on, and
// the port of a VF or SF.
[[nodiscard]] Result<std::set<IfIndex>> linksUnder(const host::FileReader& files,
                                                   const LinkGraph& graph,
                                                   const host::Link& link);

}  // namespace fabric::inventory
