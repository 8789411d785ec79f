// SPDX-License-Identifier: Apache-2.0
#include "inventory/pci_topology.hpp"

#include <algorithm>
#include <utility>

namespace fabric::inventory {

namespace {

// How many functions the ways from the root to both have in common, each way ending
// with the function itself.
std::size_t sharedSteps(const host::PciFunction& left, const host::PciFunction& right) {
    const auto step = [](const host::PciFunction& function, std::size_t at) {
        return at < function.bridges.size() ? function.bridges[at] : function.address;
    };
    const std::size_t shorter = std::min(left.bridges.size(), right.bridges.size()) + 1;
    std::size_t shared = 0;
    while (shared < shorter && step(left, shared) == step(right, shared)) {
        ++shared;
    }
    return shared;
}

}  // namespace

std::string_view toString(PciRelation relation) {
    switch (relation) {
        case PciRelation::pix:
            return "PIX";
        case PciRelation::pxb:
            return "PXB";
        case PciRelation::phb:
            return "PHB";
        case PciRelation::node:
            return "NODE";
        case PciRelation::sys:
            return "SYS";
    }
    return "SYS";
}

PciTopology::PciTopology(std::vector<host::PciFunction> functions)
    : functions_(std::move(functions)) {
    std::ranges::sort(functions_, {}, &host::PciFunction::address);
    for (std::size_t at = 0; at < functions_.size(); ++at) {
        index_.emplace(functions_[at].address, at);
        numaKnown_ = numaKnown_ || functions_[at].numaNode.has_value();
        for (const PciAddress bridge : functions_[at].bridges) {
            below_[bridge].push_back(at);
        }
    }
}

const host::PciFunction* PciTopology::find(PciAddress address) const {
    const auto found = index_.find(address);
    return found == index_.end() ? nullptr : &functions_[found->second];
}

PciRelation PciTopology::relation(const host::PciFunction& left,
                                  const host::PciFunction& right) const {
    const bool sameRoot = left.hostBridge == right.hostBridge;
    const std::size_t shared = sameRoot ? sharedSteps(left, right) : 0;
    if (shared > 0) {
        // Below the common bridge one switch leaves its downstream port and the
        // function.
        const std::size_t deeper = std::max(left.bridges.size(), right.bridges.size());
        return deeper + 1 - shared <= 2 ? PciRelation::pix : PciRelation::pxb;
    }
    if (sameRoot) {
        return PciRelation::phb;
    }
    const bool sameNode =
        left.numaNode == right.numaNode && (left.numaNode.has_value() || !numaKnown_);
    return sameNode ? PciRelation::node : PciRelation::sys;
}

std::vector<const host::PciFunction*> PciTopology::below(PciAddress bridge) const {
    std::vector<const host::PciFunction*> found;
    const auto entry = below_.find(bridge);
    if (entry == below_.end()) {
        return found;
    }
    found.reserve(entry->second.size());
    for (const std::size_t at : entry->second) {
        found.push_back(&functions_[at]);
    }
    return found;
}

Result<PciTopology> observePci(const host::Reader& host) {
    return PciTopology(TRY(host.pci.functions()));
}

}  // namespace fabric::inventory
