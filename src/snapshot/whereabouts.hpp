// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "inventory/link_graph.hpp"
#include "inventory/pci_topology.hpp"
#include "snapshot/identity.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fabric::snapshot {

// Where the things of this machine are now. Each list is read once, when it is first
// needed. In the errors ErrorKind::notFound is "gone", mismatch "another device",
// refused "cannot be told apart".
class Whereabouts {
  public:
    // `pci`: what is known of the PCI functions; nullptr: read when needed.
    explicit Whereabouts(const host::Reader& host,
                         const inventory::PciTopology* pci = nullptr)
        : host_(host), pci_(pci) {}

    [[nodiscard]] Result<LinkIdentity> identityOf(IfIndex link);
    [[nodiscard]] Result<PciIdentity> identityOf(PciAddress function);
    [[nodiscard]] Result<host::Link> find(const LinkIdentity& identity);
    [[nodiscard]] Result<PciAddress> find(const PciIdentity& identity);

    // Every link and how they stand on each other.
    [[nodiscard]] Result<const inventory::LinkGraph*> graph();
    [[nodiscard]] Result<const std::vector<host::RdmaPort>*> rdmaPorts();
    // "mlx5_core"; "" when none is bound or told.
    [[nodiscard]] std::string driverOf(const host::Link& link) const;
    // The name under which steps on this link are ordered: that of the bond or team
    // above a port, of the port below a VLAN, else its own.
    [[nodiscard]] std::string railOf(const host::Link& link);

  private:
    [[nodiscard]] Result<std::optional<NicIdentity>> nicOf(
        const host::Link& link) const;
    [[nodiscard]] bool isSoftware(const host::Link& link) const;
    [[nodiscard]] Result<LinkIdentity> softwareIdentity(
        const inventory::LinkGraph& graph, const host::Link& link) const;
    [[nodiscard]] Result<host::Link> findNic(const inventory::LinkGraph& graph,
                                             const NicIdentity& nic) const;
    [[nodiscard]] Result<const inventory::PciTopology*> functions();
    [[nodiscard]] PciIdentity identityOf(const inventory::PciTopology& pci,
                                         const host::PciFunction& function);

    const host::Reader& host_;
    const inventory::PciTopology* pci_;
    std::optional<inventory::PciTopology> ownPci_;
    std::optional<Result<inventory::LinkGraph>> graph_;
    std::optional<Result<std::vector<host::RdmaPort>>> rdma_;
    std::map<std::string, std::string> firmwareRoots_;  // by host bridge
};

}  // namespace fabric::snapshot
