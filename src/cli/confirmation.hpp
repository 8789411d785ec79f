// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "engine/confirm.hpp"
#include "engine/report.hpp"
#include "host/delayed_commands.hpp"
#include "host/host.hpp"
#include "snapshot/cut_off.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace fabric::cli {

// An apply that is undone unless it is confirmed: its record, which alone says what is
// pending, and what holds the restore. The caller holds the run lock; whoever does
// decides, so a restore that comes while `confirm` runs finds nothing to undo.
class Confirmation {
  public:
    Confirmation(const host::Reader& reader,
                 host::FileWriter& files,
                 host::DelayedCommands& commands,
                 std::string bootId)
        : reader_(reader),
          files_(files),
          commands_(commands),
          bootId_(std::move(bootId)) {}

    // ErrorKind::busy while an apply waits to be confirmed: nobody else may write. What
    // an earlier one left to be told is a finding (engine::confirmFinding).
    [[nodiscard]] Result<std::optional<resource::Finding>> nothingPending() const;

    // Has `program` restore the snapshot after this time, and records it. After an
    // error nothing is armed. ErrorKind::refused without an id: nothing that will be
    // written can be put back.
    [[nodiscard]] Result<engine::Confirm> arm(const std::string& program,
                                              const std::string& id,
                                              std::chrono::milliseconds within);

    // Ends the wait: the restore is seen to be gone, then the record is removed. An
    // error when it was undone already, recorded or not.
    [[nodiscard]] Result<engine::Confirm> keep();

    // For the restore of what was not confirmed. False: it was confirmed or restored
    // meanwhile. A record that cannot be read is no confirmation.
    [[nodiscard]] Result<bool> beginUndo(const std::string& id);
    [[nodiscard]] Result<void> endUndo(engine::ExitCode exitCode);
    // A restore by hand that put back what a boot cut off, or what the restore at the
    // deadline did not: nothing is left to be told.
    [[nodiscard]] Result<void> restoredByHand(const std::string& id);
    // An apply that found or made everything as wanted: what an earlier restore did not
    // put back is nobody's concern any more.
    [[nodiscard]] Result<void> superseded();

  private:
    [[nodiscard]] Result<std::optional<engine::ConfirmRecord>> read() const;
    [[nodiscard]] Result<void> write(const engine::ConfirmRecord& record);
    // Nothing waits for the deadline any more, and all is as the run found it: the disk
    // was full or read-only when it was undone.
    [[nodiscard]] bool wasUndone(const engine::ConfirmRecord& record) const;

    const host::Reader& reader_;
    host::FileWriter& files_;
    host::DelayedCommands& commands_;
    std::string bootId_;
};

// What whoever looks at this host is told: that an apply may be undone, and when; that
// a run was cut off.
[[nodiscard]] std::vector<resource::Finding> unsettledFindings(
    const host::Reader& reader,
    const std::string& bootId,
    snapshot::AfterCutOff now = snapshot::AfterCutOff::unknown);

// Whether a run was of its whole profile.
[[nodiscard]] bool isWhole(const Options& options);
// What a look at, or an apply of, a profile says of a run that was cut off before.
[[nodiscard]] snapshot::AfterCutOff afterCutOff(const engine::Report& report,
                                                const Options& options);

}  // namespace fabric::cli
