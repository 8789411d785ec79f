// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "engine/history.hpp"
#include "linux/history_file.hpp"
#include "linux/machine.hpp"
#include "report/history.hpp"

#include <fmt/format.h>

#include <utility>

namespace fabric::cli {

namespace {

constexpr mode_t kOthersMayWrite = 022;

struct Reading {
    report::History history;
    bool trusted = true;
};

// Somebody else's file may say anything.
bool trustworthy(const host::TracedFile& file, const char* path) {
    const bool linked = !file.way.empty() &&
                        file.way.back().status.type == host::FileStatus::Type::symlink;
    if (file.status.owner == 0 && (file.status.mode & kOthersMayWrite) == 0 &&
        !linked) {
        return true;
    }
    warn(fmt::format("{} can have been written by others than root: it proves nothing",
                     path));
    return false;
}

Result<Reading> readHistory(const host::FileReader& files) {
    Reading reading;
    for (const char* path : {engine::kOlderHistoryFile, engine::kHistoryFile}) {
        const auto file = files.readTraced(path, 2 * linux_host::kHistoryLimit);
        if (!file && file.error().kind == ErrorKind::notFound) {
            continue;
        }
        if (!file) {
            return fail(file.error());
        }
        reading.trusted = trustworthy(*file, path) && reading.trusted;
        reading.history.append(report::parseHistory(file->text));
    }
    return reading;
}

report::HistoryFilter filterOf(const host::Clock& clock, const Options& options) {
    report::HistoryFilter filter{
        .since = {}, .rail = options.run.rail, .run = options.runId};
    if (options.since) {
        filter.since = clock.wallTime() - *options.since;
    }
    return filter;
}

Error noSuchRun(const std::string& id) {
    return {.kind = ErrorKind::notFound,
            .action = "find run",
            .subject = {},
            .sysErrno = 0,
            .detail = "no run in the history begins with " + escapeForTerminal(id),
            .advice = "'fabricctl history' lists them"};
}

}  // namespace

int runHistory(const Options& options) {
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    auto reading = readHistory(reader.files);
    if (!reading) {
        Error error = std::move(reading.error());
        if (error.kind == ErrorKind::permission) {
            error.advice = "run as root";
        }
        return stopWith("history", std::move(error), options);
    }
    if (!options.runId.empty() &&
        filtered(reading->history, {.since = {}, .rail = {}, .run = options.runId})
            .entries.empty()) {
        return stopWith("history", noSuchRun(options.runId), options);
    }
    // Lines of somebody else are a reason to doubt the rest.
    const bool whole = reading->trusted && reading->history.foreignLines == 0;
    const report::History wanted =
        filtered(std::move(reading->history), filterOf(reader.clock, options));
    return printOut(
        options.format == Format::json ? report::toJson(wanted)
                                       : report::toText(wanted,
                                                        {.color = useColor(options),
                                                         .verbose = options.verbose,
                                                         .quiet = options.quiet}),
        whole ? engine::ExitCode::asWanted : engine::ExitCode::unverifiable);
}

}  // namespace fabric::cli
