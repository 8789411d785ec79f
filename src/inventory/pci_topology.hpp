// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"
#include "host/host.hpp"

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

namespace fabric::inventory {

// How two functions reach each other, in the words of nvidia-smi: one bridge (PIX),
// several without a host bridge (PXB), through a host bridge (PHB), across host bridges
// of one NUMA node (NODE), across NUMA nodes (SYS).
enum class PciRelation { pix, pxb, phb, node, sys };

[[nodiscard]] std::string_view toString(PciRelation relation);

// All PCI functions, indexed by address. Pure; the functions below do not touch the
// host.
class PciTopology {
  public:
    explicit PciTopology(std::vector<host::PciFunction> functions);

    [[nodiscard]] const std::vector<host::PciFunction>& functions() const {
        return functions_;
    }

    [[nodiscard]] const host::PciFunction* find(PciAddress address) const;
    // PIX and PXB need a bridge above both; between the two there is one switch (at
    // most one downstream port on each side) or more. Without NUMA information for one
    // of the two, NODE is only claimed on a machine where no function has any.
    [[nodiscard]] PciRelation relation(const host::PciFunction& left,
                                       const host::PciFunction& right) const;
    // The functions that have `bridge` on their way to the root, in address order.
    // Costs what it returns.
    [[nodiscard]] std::vector<const host::PciFunction*> below(PciAddress bridge) const;

  private:
    std::vector<host::PciFunction> functions_;  // sorted by address
    std::map<PciAddress, std::size_t> index_;
    std::map<PciAddress, std::vector<std::size_t>> below_;
    bool numaKnown_ = false;
};

[[nodiscard]] Result<PciTopology> observePci(const host::Reader& host);

}  // namespace fabric::inventory
