// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/confirmation.hpp"
#include "cli/loading.hpp"
#include "cli/locking.hpp"
#include "cli/output.hpp"
#include "cli/run_history.hpp"
#include "cli/verbs.hpp"
#include "inventory/platform.hpp"
#include "linux/history_file.hpp"
#include "linux/machine.hpp"
#include "linux/machine_writer.hpp"
#include "linux/run_lock.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace fabric::cli {

namespace {

// What was kept, or why not, in the report.
std::optional<engine::Confirm> confirmLocked(linux_host::Machine& machine,
                                             engine::Report& report) {
    const host::Reader reader = machine.reader();
    linux_host::MachineWriter writer(machine);
    Confirmation confirmation(
        reader, writer.writer().files, writer.delayedCommands(), report.bootId);
    auto kept = confirmation.keep();
    if (!kept) {
        report.stopped = std::move(kept.error());
        return std::nullopt;
    }
    linux_host::HistoryFile log(engine::kStateDirectory);
    RunHistory history(log, reader.clock, [&] {
        return runOfThisProcess(reader, kept->id, "confirm");
    });
    history.begin({});
    history.end(report);
    return *kept;
}

}  // namespace

int runConfirm(const Options& options) {
    linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    const inventory::Platform platform = inventory::observePlatform(reader);
    engine::Report report;
    report.command = "confirm";
    report.started = reader.clock.wallTime();
    report.host = platform.hostName;
    report.bootId = platform.bootId;
    linux_host::FileRunLocks locks(kRunDirectory, "fabricctl confirm");
    const auto lock = lockToWrite(locks, options);
    if (!lock) {
        report.stopped = lock.error();
        report.locked = lock.error().kind == ErrorKind::busy;
    }
    const auto kept = lock ? confirmLocked(machine, report) : std::nullopt;
    if (options.format == Format::json || report.stopped) {
        return print(report, options, kept);
    }
    for (const resource::Finding& finding : report.findings) {
        warn(finding.summary + ": " + finding.evidence);
    }
    return printOut(options.quiet ? ""
                                  : fmt::format("kept: {} will not be undone\n",
                                                escapeForTerminal(kept->id)),
                    report.exitCode());
}

}  // namespace fabric::cli
