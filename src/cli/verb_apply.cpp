// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/bad_command_line.hpp"
#include "cli/confirmation.hpp"
#include "cli/loading.hpp"
#include "cli/locking.hpp"
#include "cli/output.hpp"
#include "cli/plan_file.hpp"
#include "cli/records.hpp"
#include "cli/run_history.hpp"
#include "cli/snapshot_keeper.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "engine/apply.hpp"
#include "engine/rail_wait.hpp"
#include "engine/run.hpp"
#include "linux/delayed_commands.hpp"
#include "linux/history_file.hpp"
#include "linux/journal_sender.hpp"
#include "linux/machine.hpp"
#include "linux/machine_writer.hpp"
#include "linux/run_lock.hpp"
#include "snapshot/cut_off.hpp"
#include "snapshot/save.hpp"

#include <fmt/format.h>

#include <optional>

namespace fabric::cli {

namespace {

// What shapes one run besides its profile and options.
struct Special {
    const engine::PlanRecord* plan = nullptr;     // that is carried out
    std::optional<engine::Confirm> confirm = {};  // what it waits for afterwards
    // Of the profile as it was read, for the record of this boot.
    std::vector<engine::HashedFile> profileFiles = {};
};

engine::ApplyOptions applyOptions(const Options& options, const Special& special) {
    engine::ApplyOptions apply{.run = options.run, .wait = options.wait};
    apply.execution.stopRequested = stopSignal;
    apply.execution.onStep = [&options](const resource::Step& step) {
        progress(options,
                 fmt::format("{}: {}",
                             step.rail.empty() ? "host" : escapeForTerminal(step.rail),
                             escapeForTerminal(step.summary)));
    };
    apply.onWait = [&options](std::string_view what) { progress(options, what); };
    if (special.plan != nullptr) {
        apply.approve = approvalBy(*special.plan);
    }
    return apply;
}

resource::Finding nothingToConfirm() {
    return {.id = "confirm.not-needed",
            .severity = resource::Severity::info,
            .summary = "nothing was written, so nothing waits to be confirmed",
            .evidence = {},
            .fix = {}};
}

// A whole apply that ended well has completed what was cut off, and is the last that
// tells of it.
void tellCutOff(const std::optional<snapshot::CutOff>& run,
                const host::FileReader& files,
                host::FileWriter& writer,
                const Options& options,
                engine::Report& report) {
    if (!run) {
        return;
    }
    const auto now = afterCutOff(report, options);
    report.findings.push_back(snapshot::cutOffFinding(*run, false, now));
    if (now == snapshot::AfterCutOff::settled) {
        // A mark that stays is told of once more.
        static_cast<void>(snapshot::forgetCutOff(files, writer, run->id));
    }
}

// What an earlier confirmation left; a whole apply that ended well settles what its
// restore did not put back.
void tellEarlier(Confirmation& confirmation,
                 std::optional<resource::Finding> left,
                 const Options& options,
                 engine::Report& report) {
    if (!left) {
        return;
    }
    const bool settled = isWhole(options) &&
                         report.exitCode() == engine::ExitCode::asWanted &&
                         left->id == "confirm.not-undone" && confirmation.superseded();
    if (!settled) {
        report.findings.push_back(std::move(*left));
    }
}

// An apply that changed nothing has nothing that a restore could undo: what was armed
// for it goes first, and its snapshot is kept while that does not.
void endKeeping(Confirmation& confirmation,
                SnapshotKeeper& keeper,
                std::optional<engine::Confirm>& confirm) {
    if (confirm && keeper.unused()) {
        if (!confirmation.keep()) {
            return;
        }
        confirm.reset();
    }
    keeper.end();
}

// The lock ends with the run and before its report is printed: a reader that is slow to
// take the report must not keep the next run waiting.
engine::Report applyLocked(linux_host::Machine& machine,
                           const profile::Profile& profile,
                           const Options& options,
                           Special& special) {
    const host::Reader reader = machine.reader();
    engine::Report report = engine::beginReport(reader, "apply", profile);
    report.stopped = engine::missingCapability(
        inventory::observePlatform(reader), profile, options.run);
    if (report.stopped) {
        return report;
    }
    linux_host::FileRunLocks locks(kRunDirectory, "fabricctl apply");
    const auto lock = lockToWrite(locks, options);
    if (!lock) {
        report.stopped = lock.error();
        report.locked = lock.error().kind == ErrorKind::busy;
        return report;
    }
    holdStopSignals();
    linux_host::MachineWriter writers(machine);
    const host::Writer writer = writers.writer();
    Confirmation confirmation(reader,
                              writer.files,
                              writers.delayedCommands(),
                              inventory::observePlatform(reader).bootId);
    auto mayWrite = confirmation.nothingPending();
    if (!mayWrite) {
        report.stopped = notWaitedFor(std::move(mayWrite.error()), options);
        report.locked = report.stopped->kind == ErrorKind::busy;
        return report;
    }
    const auto cutOff = snapshot::cutOffRun(reader);
    SnapshotKeeper keeper(reader,
                          writer.files,
                          options.snapshot,
                          {.command = "apply",
                           .profileName = profile.name(),
                           .profilePath = profile.path(),
                           .undoneByItself = options.confirmWithin.has_value()});
    linux_host::HistoryFile log(engine::kStateDirectory);
    RunHistory history(log, reader.clock, [&] {
        auto run = runOfThisProcess(
            reader, runId(keeper.id(), reader.clock), "apply", &profile);
        run.confirmUntil = special.confirm ? special.confirm->deadline : "";
        return run;
    });
    engine::ApplyOptions apply = applyOptions(options, special);
    apply.beforeWriting = [&](const std::vector<resource::Step>& plan,
                              const engine::Preparation& preparation) -> Result<void> {
        TRY(keeper.keep(
            plan, preparation.platform, preparation.pci ? &*preparation.pci : nullptr));
        if (options.confirmWithin) {
            const std::string program = TRY(linux_host::ownProgram());
            special.confirm =
                TRY(confirmation.arm(program, keeper.id(), *options.confirmWithin));
        }
        return {};
    };
    history.follow(apply.execution);
    report = engine::apply(reader, writer, profile, apply);
    endKeeping(confirmation, keeper, special.confirm);
    keeper.tell(report);
    if (options.confirmWithin && !special.confirm && !report.stopped) {
        report.findings.push_back(nothingToConfirm());
    }
    tellEarlier(confirmation, std::move(*mayWrite), options, report);
    tellCutOff(cutOff, reader.files, writer.files, options, report);
    history.end(report);
    return report;
}

// The boot unit waits a minute where the profile says nothing, and systemd must not end
// it before that.
void prepareWait(const profile::Profile& profile, Options& options) {
    constexpr std::chrono::seconds kForTheRest{60};
    options.wait = engine::railWait(profile, options.run, options.wait, options.boot);
    const std::chrono::microseconds time =
        *options.wait + options.lockWait + kForTheRest;
    linux_host::extendStartTimeout(static_cast<std::uint64_t>(time.count()));
}

engine::Report refused(const host::Reader& reader,
                       const Options& options,
                       Error error) {
    engine::Report report = invalidProfileReport(reader, "apply", options, {});
    error.subject = escapeForTerminal(options.profilePath);
    report.stopped = std::move(error);
    return report;
}

engine::Report applyProfile(linux_host::Machine& machine,
                            Options options,
                            Special& special) {
    const host::Reader reader = machine.reader();
    const auto profile = loadProfile(reader.files, options);
    if (!profile) {
        return invalidProfileReport(reader, "apply", options, profile.error());
    }
    if (special.plan != nullptr) {
        if (auto other = engine::otherProfile(
                *special.plan, engine::hashesOf(reader.files, *profile))) {
            return refused(reader, options, std::move(*other));
        }
    }
    if (options.boot) {
        special.profileFiles = engine::hashesOf(reader.files, *profile);
    }
    prepareWait(*profile, options);
    return applyLocked(machine, *profile, options, special);
}

// `given` names the plan where it would name a profile.
engine::Report applyPlan(linux_host::Machine& machine,
                         const Options& given,
                         const Result<engine::PlanRecord>& plan,
                         Special& special) {
    const host::Reader reader = machine.reader();
    if (!plan) {
        return refused(reader, given, plan.error());
    }
    const auto options = optionsFor(*plan, given);
    if (!options) {
        return refused(reader, given, options.error());
    }
    if (auto other = engine::notForHere(*plan, inventory::observePlatform(reader))) {
        return refused(reader, given, std::move(*other));
    }
    special.plan = &*plan;
    return applyProfile(machine, *options, special);
}

engine::Report applyAtBoot(linux_host::Machine& machine, const Options& options) {
    const host::Reader reader = machine.reader();
    BootRecording recording(reader, invalidProfileReport(reader, "apply", options, {}));
    Special special;  // neither a plan nor a confirmation
    engine::Report report = applyProfile(machine, options, special);
    recording.finish(report, std::move(special.profileFiles));
    return report;
}

}  // namespace

int runApply(const Options& options) {
    linux_host::Machine machine;
    Special special;
    const auto plan = readPlan(machine.reader().files, options.profilePath);
    const engine::Report report = plan ? applyPlan(machine, options, *plan, special)
                                  : options.boot
                                      ? applyAtBoot(machine, options)
                                      : applyProfile(machine, options, special);
    Options records = options;
    if (plan && *plan && !partOfMetrics((*plan)->run).empty()) {
        records.metricsPath.clear();  // that of the whole stays as it is
    }
    return printAndRecord(machine.reader(), report, records, special.confirm);
}

}  // namespace fabric::cli
