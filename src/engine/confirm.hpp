// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "host/delayed_commands.hpp"
#include "host/host.hpp"
#include "resource/finding.hpp"

#include <optional>
#include <string>

namespace fabric::engine {

// An apply that is undone unless it is confirmed. In /var and not in /run: what it
// wrote to /etc outlives a boot, so the boot after must be able to tell.
inline constexpr const char* kConfirmRecord = "/var/lib/fabricctl/confirm.json";

// What an apply waits for: the snapshot that undoes it, and when.
struct Confirm {
    std::string id;
    std::string deadline;  // UTC, 2026-01-31T12:00:00Z
};

struct ConfirmRecord {
    enum class State {
        pending,    // its restore is armed
        restoring,  // the restore has begun
        restored,   // and has ended
    };

    std::string id;  // of the snapshot that undoes it
    std::string bootId;
    State state = State::pending;
    std::string deadline;  // UTC, 2026-01-31T12:00:00Z
    host::CommandKeeper keeper;
    std::string ended;  // of the restore, UTC
    int exitCode = 0;   // of the restore
    bool operator==(const ConfirmRecord&) const = default;
};

// Whether what would undo it at the deadline is still there.
enum class Hold { unknown, armed, gone };

// Looks for the process or the timer of an open record. That a timer and its service
// are both gone says that nothing will undo it any more.
[[nodiscard]] Hold holdOf(const host::Reader& host, const ConfirmRecord& record);

// Why nobody else may write now; std::nullopt when nothing is pending in this boot.
// Pure.
[[nodiscard]] std::optional<Error> awaitsConfirmation(
    const std::optional<ConfirmRecord>& record,
    const std::string& bootId,
    Hold hold = Hold::unknown);

// There is nothing to keep: the run was undone, and no record could be made of it.
// Pure.
[[nodiscard]] Error undoneUnrecorded(const ConfirmRecord& record);

// Why `confirm` cannot keep what the record is about. Pure.
[[nodiscard]] Result<void> confirmable(const std::optional<ConfirmRecord>& record,
                                       const std::string& bootId);

// Why `id` cannot be undone as what was not confirmed: another run waits. std::nullopt
// when none waits, or this one. Pure.
[[nodiscard]] std::optional<Error> awaitsUndoOf(
    const std::optional<ConfirmRecord>& record,
    const std::string& id,
    const std::string& bootId);

// True when the restore of this id, run by its timer or by hand, is to be done. Pure.
[[nodiscard]] bool toBeUndone(const std::optional<ConfirmRecord>& record,
                              const std::string& id,
                              const std::string& bootId);

// True when a boot ended the wait: kernel state is gone with it, files are not. Pure.
[[nodiscard]] bool cutOffByBoot(const std::optional<ConfirmRecord>& record,
                                const std::string& bootId);

// What whoever looks at this host should know of it: that it will be undone and when,
// that nothing is left which would undo it, that a boot cut it off, that its restore
// was cut off or did not put everything back. std::nullopt when nothing is left to do.
// Pure.
[[nodiscard]] std::optional<resource::Finding> confirmFinding(
    const std::optional<ConfirmRecord>& record,
    const std::string& bootId,
    Hold hold = Hold::unknown);

}  // namespace fabric::engine
