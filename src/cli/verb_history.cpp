// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "engine/history.hpp"
#include "linux/history_file.hpp"
#include "linux/machine.hpp"
#include "report/history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>
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

Error unreadable(Error error) {
    if (error.advice.empty()) {
        error.advice =
            error.kind == ErrorKind::permission
                ? "run as root"
                : "move away what stands there; the next apply begins a history";
    }
    return error;
}

Result<Reading> readHistory(const host::FileReader& files) {
    Reading reading;
    for (const char* path : {engine::kOlderHistoryFile, engine::kHistoryFile}) {
        const auto file = files.readTraced(path, 2 * linux_host::kHistoryLimit);
        if (!file && file.error().kind == ErrorKind::notFound) {
            // A link that leads nowhere is not "no run has written yet".
            if (const auto link = files.readLink(path)) {
                return fail(unreadable({.kind = ErrorKind::notFound,
                                        .action = "read the history",
                                        .subject = path,
                                        .sysErrno = 0,
                                        .detail = "it is a link that leads nowhere: " +
                                                  escapeForTerminal(*link),
                                        .advice = {}}));
            }
            continue;
        }
        if (!file) {
            return fail(unreadable(file.error()));
        }
        reading.trusted = trustworthy(*file, path) && reading.trusted;
        reading.history.append(report::parseHistory(file->text, path));
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

// std::nullopt: something was written there, or could have been.
std::optional<Error> noSuchRail(const report::History& history,
                                const host::LinkReader& links,
                                const std::string& rail) {
    std::vector<std::string> known = report::railsOf(history);
    if (const auto now = links.links()) {
        std::ranges::transform(*now, std::back_inserter(known), &host::Link::name);
    }
    if (std::ranges::find(known, rail) != known.end()) {
        return std::nullopt;
    }
    const auto nearest = nearestWord(rail, known);
    return Error{.kind = ErrorKind::notFound,
                 .action = "find rail",
                 .subject = {},
                 .sysErrno = 0,
                 .detail = "no run in the history wrote on " + escapeForTerminal(rail) +
                           ", and no interface is called so",
                 .advice = nearest ? "did you mean " + escapeForTerminal(*nearest) + "?"
                                   : "'fabricctl history' shows them"};
}

// Why the filters can select nothing.
std::optional<Error> selectsNothing(const report::History& history,
                                    const host::Reader& reader,
                                    const Options& options) {
    if (!options.runId.empty()) {
        const auto runs = report::runsOf(history, options.runId);
        if (runs.empty()) {
            return noSuchRun(options.runId);
        }
        if (runs.size() > 1) {
            constexpr std::size_t kShown = 3;
            warn(fmt::format("--run {}: {} runs begin so: {}{}",
                             options.runId,
                             runs.size(),
                             fmt::join(runs | std::views::take(kShown), ", "),
                             runs.size() > kShown ? ", ..." : ""));
        }
    }
    return options.run.rail.empty()
               ? std::nullopt
               : noSuchRail(history, reader.links, options.run.rail);
}

}  // namespace

int runHistory(const Options& options) {
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    auto reading = readHistory(reader.files);
    if (!reading) {
        return stopWith("history", std::move(reading.error()), options);
    }
    if (auto nothing = selectsNothing(reading->history, reader, options)) {
        return stopWith("history", std::move(*nothing), options);
    }
    // Lines of somebody else are a reason to doubt the rest. A torn one is what a crash
    // leaves, and tells nothing about the others.
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
