// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "engine/report.hpp"
#include "host/host.hpp"
#include "inventory/pci_topology.hpp"
#include "inventory/platform.hpp"
#include "resource/step.hpp"
#include "snapshot/snapshot.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fabric::cli {

// What a run is about, as its snapshot says.
struct SnapshotSubject {
    std::string command;  // "apply"
    std::string profileName;
    std::string profilePath;
    // By its snapshot, unless it is confirmed: it cannot go on without one.
    bool undoneByItself = false;
};

// Keeps what a run is about to overwrite, as --snapshot says.
class SnapshotKeeper {
  public:
    SnapshotKeeper(const host::Reader& reader,
                   host::FileWriter& files,
                   SnapshotPolicy policy,
                   SnapshotSubject subject)
        : reader_(reader),
          files_(files),
          policy_(policy),
          subject_(std::move(subject)) {}

    // Right before the first write. With SnapshotPolicy::require an error when it could
    // not be kept: nothing may be written then.
    [[nodiscard]] Result<void> keep(const std::vector<resource::Step>& plan,
                                    const inventory::Platform& platform,
                                    const inventory::PciTopology* pci);

    // The id of the snapshot; "" while there is none.
    [[nodiscard]] std::string id() const { return kept_ ? kept_->id : std::string(); }

    // True when everything that was kept is as it was: the run changed none of it.
    [[nodiscard]] bool unused() const;
    // Once the run is over: a snapshot of a run that changed nothing goes, and id() is
    // "" again.
    void end();

    // What there is to say, once the run is over.
    void tell(engine::Report& report) const;

  private:
    [[nodiscard]] Result<void> tryKeep(const std::vector<resource::Step>& plan,
                                       const inventory::Platform& platform,
                                       const inventory::PciTopology* pci);

    const host::Reader reader_;
    host::FileWriter& files_;
    SnapshotPolicy policy_;
    SnapshotSubject subject_;
    std::optional<snapshot::Snapshot> kept_;
    inventory::Platform platform_;
    std::vector<resource::Finding> findings_;
};

}  // namespace fabric::cli
