// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inventory/pci_topology.hpp"
#include "resource/acs/platform_mask.hpp"
#include "resource/acs/port.hpp"

#include <map>
#include <string>

namespace fabric::resource::acs {

// What the profile asks of each port of this machine. Pure.
class Orders {
  public:
    // `anyGpu`: the machine has a GPU endpoint.
    Orders(const profile::AcsSettings& settings,
           const inventory::PciTopology& pci,
           bool anyGpu);

    [[nodiscard]] Order forPort(PciAddress port) const;

    // The profile itself leaves all ports alone.
    [[nodiscard]] bool skipsAll() const { return !same_.masks && skips_; }

    // `redirect` or `all` on a machine that needs masks of its own.
    [[nodiscard]] bool wrongForPlatform() const { return wrongForPlatform_; }

  private:
    bool skips_ = false;
    bool perPort_ = false;
    bool wrongForPlatform_ = false;
    Order same_;  // for every port, unless perPort_
    std::map<PciAddress, PlatformMask> platform_;
};

}  // namespace fabric::resource::acs
