// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apply.hpp"
#include "scenario/storage_node.hpp"
#include "snapshot/restore.hpp"
#include "snapshot/save.hpp"

#include <optional>
#include <string>

namespace fabric::snapshot {

// A storage node whose adapters have permanent addresses, and runs on it that keep what
// they overwrite, as the verbs do.
class KeptNode : public scenario::StorageNode {
  public:
    explicit KeptNode(unsigned rails, fake::DcbDriver driver = fake::DcbDriver::mlx5);

    engine::Report apply(const profile::Profile& profile);
    engine::Report restore(const Snapshot& snapshot);

    // Every file, register and setting of the machine, as text, without this program's
    // own notes and store.
    [[nodiscard]] std::string everything();

    Result<Saved> saved = fail(Error{});  // of the last run that was about to write

    Result<bool> kept = fail(Error{});  // whether its snapshot stayed
    Gone gone = Gone::differs;          // what a restore says of what is gone
    bool killed = false;                // a run ends before it can say so
    std::optional<std::string> signal;  // what a run is asked to stop by

  private:
    void endRun();
    Result<void> keep(const std::string& command,
                      const std::vector<resource::Step>& plan,
                      const inventory::Platform& platform);
    void addFiles(const std::string& directory, std::string& text);
    void addRails(std::string& text);

    unsigned rails_;
    fake::DcbDriver kind_;
    std::optional<Snapshot> begun_;
    inventory::Platform platform_;
};

// Lossless RoCE as the scenario has it, with ARP settings that outlive a boot.
[[nodiscard]] profile::Profile wholeProfile();

// What is not as wanted in a report, for messages; "" when all is.
[[nodiscard]] std::string notAsWanted(const engine::Report& report);

}  // namespace fabric::snapshot
