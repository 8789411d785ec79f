// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "inventory/pci_topology.hpp"
#include "inventory/platform.hpp"
#include "resource/step.hpp"
#include "snapshot/snapshot.hpp"

#include <span>
#include <string>

namespace fabric::snapshot {

// The run that a snapshot is taken for.
struct Occasion {
    std::string command;
    std::string profileName;
    std::string profilePath;
    const inventory::Platform& platform;
    // As far as the run has looked at it; nullptr: looked at here when it is needed.
    const inventory::PciTopology* pci = nullptr;
};

// Reads, fresh, whatever the writes of a plan will overwrite, once per thing. What
// cannot be read, and what no restore brings back, is listed in `notRestored`. Reads
// only. Fails when the net devices cannot be listed although the plan writes to one.
[[nodiscard]] Result<Snapshot> capture(const host::Reader& host,
                                       std::span<const resource::Step> plan,
                                       const Occasion& occasion);

}  // namespace fabric::snapshot
