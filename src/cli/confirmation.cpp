// SPDX-License-Identifier: Apache-2.0
#include "cli/confirmation.hpp"

#include "base/text.hpp"
#include "engine/history.hpp"
#include "inventory/platform.hpp"
#include "report/confirm_record.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <utility>

namespace fabric::cli {

namespace {

using engine::ConfirmRecord;
using std::chrono::system_clock;

// Nothing in it is secret, and `status` needs no rights to tell it.
constexpr mode_t kRecordMode = 0644;
constexpr mode_t kDirectoryMode = 0755;
// The restore waits for whoever holds the lock: an apply that takes longer than its own
// deadline, above all.
constexpr const char* kLockWait = "24h";

std::string utcText(system_clock::time_point time) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                       fmt::gmtime(system_clock::to_time_t(time)));
}

// A module that is loaded, a service that is restarted: no restore undoes that.
Error nothingToUndo() {
    return {.kind = ErrorKind::refused,
            .action = "arm",
            .subject = "the restore of this apply",
            .sysErrno = 0,
            .detail =
                "nothing that it would write can be put back (nothing was "
                "written)",
            .advice = "run it without --confirm-within"};
}

// What a restore by hand completes: a wait that a boot cut off, a restore that failed.
bool leftOver(const std::optional<ConfirmRecord>& record, const std::string& bootId) {
    return engine::cutOffByBoot(record, bootId) ||
           (record && record->state == ConfirmRecord::State::restored);
}

}  // namespace

Result<std::optional<ConfirmRecord>> Confirmation::read() const {
    return report::readConfirmRecord(reader_.files);
}

Result<void> Confirmation::write(const ConfirmRecord& record) {
    TRY(files_.makeDirectory(engine::kStateDirectory, kDirectoryMode));
    return files_.replaceFile(
        engine::kConfirmRecord, report::toJson(record), kRecordMode);
}

Result<std::optional<resource::Finding>> Confirmation::nothingPending() const {
    const auto record = TRY(read());
    const engine::Hold hold =
        record ? engine::holdOf(reader_, *record) : engine::Hold::unknown;
    if (auto pending = engine::awaitsConfirmation(record, bootId_, hold)) {
        return fail(std::move(*pending));
    }
    return engine::confirmFinding(record, bootId_);
}

Result<engine::Confirm> Confirmation::arm(const std::string& program,
                                          const std::string& id,
                                          std::chrono::milliseconds within) {
    if (id.empty()) {
        return fail(nothingToUndo());
    }
    ConfirmRecord record{.id = id,
                         .bootId = bootId_,
                         .state = ConfirmRecord::State::pending,
                         .deadline = utcText(reader_.clock.wallTime() + within),
                         .keeper = {},
                         .ended = {},
                         .exitCode = 0};
    record.keeper = TRY(commands_.arm(
        {.name = "fabricctl-confirm-" + id,
         .what = "fabricctl: undo " + id + ", which was not confirmed",
         .arguments =
             {program, "restore", id, "--unconfirmed", "--lock-wait", kLockWait},
         .delay = within}));
    if (auto written = write(record); !written) {
        Error error = std::move(written.error());
        // It may stand there all the same, when only its directory was not synced.
        if (const auto stands = read(); stands && *stands && (*stands)->id == id) {
            static_cast<void>(files_.removeFile(engine::kConfirmRecord));
        }
        if (const auto gone = commands_.disarm(record.keeper); !gone) {
            error.detail += "; " + gone.error().message();
        }
        return fail(std::move(error));
    }
    return engine::Confirm{.id = record.id, .deadline = record.deadline};
}

bool Confirmation::wasUndone(const ConfirmRecord& record) const {
    if (record.bootId != bootId_ ||
        engine::holdOf(reader_, record) != engine::Hold::gone) {
        return false;
    }
    const auto snapshot = snapshot::load(reader_.files, record.id);
    return snapshot &&
           snapshot::isAsItWas(reader_, *snapshot, inventory::observePlatform(reader_));
}

Result<engine::Confirm> Confirmation::keep() {
    const auto record = TRY(read());
    TRY(engine::confirmable(record, bootId_));
    if (wasUndone(*record)) {
        // It says nothing that would still be true.
        static_cast<void>(files_.removeFile(engine::kConfirmRecord));
        return fail(engine::undoneUnrecorded(*record));
    }
    if (record->bootId == bootId_) {
        TRY(commands_.disarm(record->keeper));
    }
    if (auto removed = files_.removeFile(engine::kConfirmRecord); !removed) {
        Error error = std::move(removed.error());
        error.detail += (error.detail.empty() ? "" : "; ") +
                        std::string("nothing will be undone, but others still wait");
        error.advice = "mend that file system, then run 'fabricctl confirm' again";
        return fail(std::move(error));
    }
    return engine::Confirm{.id = record->id, .deadline = record->deadline};
}

Result<bool> Confirmation::beginUndo(const std::string& id) {
    const auto known = read();
    if (!known) {
        // Nobody confirmed it: `confirm` needs the record, and removes it.
        return true;
    }
    auto record = *known;
    if (auto other = engine::awaitsUndoOf(record, id, bootId_)) {
        return fail(std::move(*other));
    }
    if (!engine::toBeUndone(record, id, bootId_)) {
        return false;
    }
    record->state = ConfirmRecord::State::restoring;
    // A full disk must not keep it from being undone: that it began is only a word.
    static_cast<void>(write(*record));
    return true;
}

Result<void> Confirmation::endUndo(engine::ExitCode exitCode) {
    auto record = TRY(read());
    if (!record) {
        return {};
    }
    record->state = ConfirmRecord::State::restored;
    record->ended = utcText(reader_.clock.wallTime());
    record->exitCode = static_cast<int>(exitCode);
    // Undone by hand, before its time. What goes on waiting would find nothing to do.
    static_cast<void>(commands_.release(record->keeper));
    auto written = write(*record);
    // A full disk takes no new record, but lets the old one go, which is untrue now.
    return written || exitCode != engine::ExitCode::asWanted
               ? written
               : files_.removeFile(engine::kConfirmRecord);
}

Result<void> Confirmation::restoredByHand(const std::string& id) {
    const auto record = TRY(read());
    return leftOver(record, bootId_) && record->id == id
               ? files_.removeFile(engine::kConfirmRecord)
               : Result<void>{};
}

Result<void> Confirmation::superseded() {
    const auto record = TRY(read());
    const bool failed = record && record->state == ConfirmRecord::State::restored &&
                        record->exitCode != 0;
    return failed ? files_.removeFile(engine::kConfirmRecord) : Result<void>{};
}

bool isWhole(const Options& options) {
    return options.run.only.empty() && options.run.rail.empty();
}

snapshot::AfterCutOff afterCutOff(const engine::Report& report,
                                  const Options& options) {
    using snapshot::AfterCutOff;
    // By its result: with --detailed-exitcode a change alone is no exit status 0.
    if (!isWhole(options) || report.result() != "converged" || report.unrecorded) {
        return AfterCutOff::unknown;
    }
    return report.command == "apply" ? AfterCutOff::settled : AfterCutOff::asWanted;
}

std::vector<resource::Finding> unsettledFindings(const host::Reader& reader,
                                                 const std::string& bootId,
                                                 snapshot::AfterCutOff now) {
    auto findings = report::confirmFindings(reader, bootId);
    if (const auto run = snapshot::cutOffRun(reader)) {
        const auto record = report::readConfirmRecord(reader.files);
        const bool waits = record && engine::toBeUndone(*record, run->id, bootId);
        findings.push_back(snapshot::cutOffFinding(*run, waits, now));
    }
    return findings;
}

}  // namespace fabric::cli
