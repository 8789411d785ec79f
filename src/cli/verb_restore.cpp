// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/confirmation.hpp"
#include "cli/loading.hpp"
#include "cli/locking.hpp"
#include "cli/output.hpp"
#include "cli/records.hpp"
#include "cli/run_history.hpp"
#include "cli/snapshot_keeper.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "inventory/capability.hpp"
#include "linux/history_file.hpp"
#include "linux/machine.hpp"
#include "linux/machine_writer.hpp"
#include "linux/run_lock.hpp"
#include "snapshot/look.hpp"
#include "snapshot/part.hpp"
#include "snapshot/privilege.hpp"
#include "snapshot/restore.hpp"
#include "snapshot/save.hpp"
#include "snapshot/store.hpp"

#include <fmt/format.h>

namespace fabric::cli {

namespace {

snapshot::Part partOf(const Options& options) {
    return {.only = options.run.only, .rail = options.run.rail};
}

// std::nullopt: nothing is left to undo.
Result<std::optional<snapshot::Snapshot>> wanted(const host::Reader& host,
                                                 const Options& options) {
    std::optional<snapshot::Snapshot> whole;
    if (options.snapshotId.empty()) {
        whole = TRY(snapshot::loadLatest(host));
    } else {
        whole = TRY(snapshot::load(host.files, options.snapshotId));
    }
    if (!whole) {
        return whole;
    }
    return TRY(snapshot::partOf(host, std::move(*whole), partOf(options)));
}

engine::Report stopped(const host::Reader& reader, Error error) {
    engine::Report report;
    report.command = "restore";
    report.started = reader.clock.wallTime();
    report.locked = error.kind == ErrorKind::busy;
    report.stopped = std::move(error);
    return report;
}

// A report that nothing was to be done, and why.
engine::Report nothingDone(const host::Reader& reader, resource::Finding why) {
    engine::Report report = stopped(reader, {});
    report.stopped.reset();
    report.findings.push_back(std::move(why));
    return report;
}

engine::Report nothingToUndo(const host::Reader& reader) {
    return nothingDone(
        reader,
        {.id = "restore.nothing-to-undo",
         .severity = resource::Severity::info,
         .summary = "nothing to undo: each apply whose snapshot is kept was undone, or "
                    "everything is again as it found it",
         .evidence = "fabricctl snapshot list",
         .fix = "to apply again what was undone: fabricctl apply PROFILE; or name the "
                "snapshot that its restore left: fabricctl restore ID"});
}

std::optional<Error> notRoot(const inventory::Platform& platform) {
    if (platform.effectiveRoot) {
        return std::nullopt;
    }
    return Error{.kind = ErrorKind::permission,
                 .action = "restore",
                 .subject = "this host",
                 .sysErrno = 0,
                 .detail = "this user is not root",
                 .advice = "run as root"};
}

snapshot::Circumstances knownOf(const host::Reader& reader, const Options& options) {
    return {
        .gone = options.acceptGone ? snapshot::Gone::accepted : snapshot::Gone::differs,
        .left = snapshot::lastLeft(reader.files)};
}

snapshot::RestoreOptions restoreOptions(const host::Reader& reader,
                                        const Options& options,
                                        SnapshotKeeper& keeper) {
    snapshot::RestoreOptions restore{.known = knownOf(reader, options),
                                     .execution = {}};
    restore.execution.stopRequested = stopSignal;
    restore.execution.onStep = [&options](const resource::Step& step) {
        progress(options,
                 fmt::format("{}: {}",
                             step.rail.empty() ? "host" : escapeForTerminal(step.rail),
                             escapeForTerminal(step.summary)));
    };
    restore.beforeWriting = [&keeper](const std::vector<resource::Step>& plan,
                                      const inventory::Platform& platform) {
        return keeper.keep(plan, platform, nullptr);
    };
    return restore;
}

// Whether there is anything to do, and who may. nullopt: yes.
std::optional<engine::Report> settled(const host::Reader& reader,
                                      Confirmation& confirmation,
                                      const Options& options) {
    if (!options.unconfirmed) {
        auto mayWrite = confirmation.nothingPending();
        return mayWrite
                   ? std::nullopt
                   : std::optional(stopped(
                         reader, notWaitedFor(std::move(mayWrite.error()), options)));
    }
    auto begun = confirmation.beginUndo(options.snapshotId);
    if (!begun) {
        return stopped(reader, std::move(begun.error()));
    }
    if (*begun) {
        return std::nullopt;
    }
    return nothingDone(
        reader,
        {.id = "confirm.settled",
         .severity = resource::Severity::info,
         .summary = "it was confirmed or undone meanwhile: nothing is to be done",
         .evidence = {},
         .fix = {}});
}

// The record says what became of the wait. What cannot be recorded is a finding.
void settle(Confirmation& confirmation,
            const std::string& id,
            const Options& options,
            engine::Report& report) {
    const auto recorded = [&]() -> Result<void> {
        if (options.unconfirmed) {
            return confirmation.endUndo(report.exitCode());
        }
        return report.exitCode() == engine::ExitCode::asWanted &&
                       partOf(options).isAll()
                   ? confirmation.restoredByHand(id)
                   : Result<void>{};
    }();
    if (!recorded) {
        report.findings.push_back(
            {.id = "confirm.not-recorded",
             .severity = resource::Severity::warn,
             .summary = "that it was undone could not be recorded",
             .evidence = recorded.error().message(),
             .fix = recorded.error().advice});
    }
}

// Only of what was put back as a whole: the rest is still to be undone.
void noteRestored(const host::Reader& reader,
                  host::FileWriter& files,
                  const snapshot::Snapshot& snapshot,
                  const Options& options,
                  engine::Report& report) {
    if (!partOf(options).isAll()) {
        report.findings.push_back(
            {.id = "restore.part",
             .severity = resource::Severity::info,
             .summary =
                 "only a part was to be put back: the rest is still to be undone",
             .evidence = "--only, --rail",
             .fix = "fabricctl restore " + snapshot.id});
        return;
    }
    if (report.exitCode() != engine::ExitCode::asWanted) {
        return;
    }
    if (const auto noted = snapshot::noteRestored(reader.files, files, snapshot.id);
        !noted) {
        report.findings.push_back(
            {.id = "restore.not-recorded",
             .severity = resource::Severity::warn,
             .summary = "that it was undone could not be recorded: a restore that "
                        "names no snapshot may choose it again",
             .evidence = noted.error().message(),
             .fix = noted.error().advice.empty()
                        ? "name the snapshot: fabricctl restore ID"
                        : noted.error().advice});
    }
}

std::optional<Error> missingCapability(
    const host::Reader& reader,
    const inventory::Platform& platform,
    const Result<std::optional<snapshot::Snapshot>>& snapshot) {
    return snapshot && *snapshot ? snapshot::missingCapability(
                                       **snapshot,
                                       platform,
                                       inventory::effectiveCapabilities(reader.files))
                                 : std::nullopt;
}

engine::Report putBack(const host::Reader& reader,
                       const host::Writer& writer,
                       const snapshot::Snapshot& snapshot,
                       Confirmation& confirmation,
                       const Options& options) {
    SnapshotKeeper keeper(
        reader,
        writer.files,
        // Undoing what nobody confirmed does not hang on a full disk.
        options.unconfirmed ? SnapshotPolicy::attempt : options.snapshot,
        {.command = snapshot::kRestoreCommand,
         .profileName = snapshot.id,
         .profilePath = snapshot::pathOf(snapshot.id)});
    linux_host::HistoryFile log(engine::kStateDirectory);
    RunHistory history(log, reader.clock, [&] {
        auto run =
            runOfThisProcess(reader, runId(keeper.id(), reader.clock), "restore");
        run.restores = snapshot.id;
        return run;
    });
    snapshot::RestoreOptions restore = restoreOptions(reader, options, keeper);
    history.follow(restore.execution);
    engine::Report report = snapshot::restore(reader, writer, snapshot, restore);
    keeper.end();
    keeper.tell(report);
    noteRestored(reader, writer.files, snapshot, options, report);
    settle(confirmation, snapshot.id, options, report);
    history.end(report);
    return report;
}

// The lock is taken before the snapshot is looked up: the run that holds it may be
// about to leave a newer one.
engine::Report restoreLocked(linux_host::Machine& machine, const Options& options) {
    const host::Reader reader = machine.reader();
    const inventory::Platform platform = inventory::observePlatform(reader);
    if (auto missing = notRoot(platform)) {
        return stopped(reader, std::move(*missing));
    }
    linux_host::FileRunLocks locks(kRunDirectory, "fabricctl restore");
    const auto lock = lockToWrite(locks, options);
    if (!lock) {
        return stopped(reader, lock.error());
    }
    linux_host::MachineWriter writers(machine);
    const host::Writer writer = writers.writer();
    Confirmation confirmation(
        reader, writer.files, writers.delayedCommands(), platform.bootId);
    auto snapshot = wanted(reader, options);
    // What it cannot do it does not begin: what waits to be undone goes on waiting.
    if (auto missing = missingCapability(reader, platform, snapshot)) {
        return stopped(reader, std::move(*missing));
    }
    if (auto report = settled(reader, confirmation, options)) {
        return std::move(*report);
    }
    if (!snapshot) {
        engine::Report report = stopped(reader, std::move(snapshot.error()));
        settle(confirmation, options.snapshotId, options, report);
        return report;
    }
    if (!*snapshot) {
        return nothingToUndo(reader);
    }
    holdStopSignals();
    return putBack(reader, writer, **snapshot, confirmation, options);
}

engine::Report dryRun(const linux_host::Machine& machine, const Options& options) {
    const host::Reader reader = machine.reader();
    auto snapshot = wanted(reader, options);
    if (!snapshot) {
        return stopped(reader, std::move(snapshot.error()));
    }
    return *snapshot ? snapshot::differences(
                           reader, "restore", **snapshot, knownOf(reader, options))
                     : nothingToUndo(reader);
}

}  // namespace

int runRestore(const Options& options) {
    linux_host::Machine machine;
    const engine::Report report =
        options.dryRun ? dryRun(machine, options) : restoreLocked(machine, options);
    return printAndRecord(machine.reader(), report, options);
}

}  // namespace fabric::cli
