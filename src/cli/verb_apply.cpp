// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "engine/apply.hpp"
#include "engine/run.hpp"
#include "linux/machine.hpp"
#include "linux/machine_writer.hpp"
#include "linux/run_lock.hpp"

#include <fmt/format.h>

namespace fabric::cli {

namespace {

engine::ApplyOptions applyOptions(const Options& options) {
    engine::ApplyOptions apply{.run = options.run, .wait = options.wait};
    apply.execution.stopRequested = stopSignal;
    apply.execution.onStep = [&options](const resource::Step& step) {
        progress(options,
                 fmt::format("{}: {}",
                             step.rail.empty() ? "host" : escapeForTerminal(step.rail),
                             escapeForTerminal(step.summary)));
    };
    apply.onWait = [&options](std::string_view what) { progress(options, what); };
    return apply;
}

// The lock ends with the run and before its report is printed: a reader that is slow to
// take the report must not keep the next run waiting.
engine::Report applyLocked(linux_host::Machine& machine,
                           const profile::Profile& profile,
                           const Options& options) {
    const host::Reader reader = machine.reader();
    engine::Report report = engine::beginReport(reader, "apply", profile);
    report.stopped = engine::missingCapability(
        inventory::observePlatform(reader), profile, options.run);
    if (report.stopped) {
        return report;
    }
    linux_host::FileRunLocks locks(kRunDirectory, "fabricctl apply");
    const auto lock = locks.exclusive(options.lockWait);
    if (!lock) {
        report.stopped = lock.error();
        report.locked = lock.error().kind == ErrorKind::busy;
        return report;
    }
    holdStopSignals();
    linux_host::MachineWriter writer(machine);
    return engine::apply(reader, writer.writer(), profile, applyOptions(options));
}

}  // namespace

int runApply(const Options& options) {
    linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    const auto profile = loadProfile(reader.files, options);
    if (!profile) {
        return print(invalidProfileReport(reader, "apply", options, profile.error()),
                     options);
    }
    return print(applyLocked(machine, *profile, options), options);
}

}  // namespace fabric::cli
