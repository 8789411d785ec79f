// SPDX-License-Identifier: Apache-2.0
#include "snapshot/cut_off.hpp"

#include "base/process_stat.hpp"
#include "base/text.hpp"
#include "inventory/platform.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <utility>

namespace fabric::snapshot {

namespace {

bool stillRuns(const host::FileReader& files, const Begun& begun) {
    if (begun.process == 0) {
        return false;
    }
    const auto stat = files.read(fmt::format("/proc/{}/stat", begun.process));
    return stat && startOfProcess(*stat) == begun.processStart;
}

std::string timeText(std::chrono::sys_seconds time) {
    return fmt::format(
        "{:%Y-%m-%dT%H:%M:%S}Z",
        fmt::gmtime(static_cast<std::time_t>(time.time_since_epoch().count())));
}

// What ran, by the words with which it can be run again.
std::string commandOf(const Snapshot& snapshot) {
    return escapeForTerminal(snapshot.command + " " +
                             (snapshot.command == kRestoreCommand
                                  ? snapshot.profileName
                                  : snapshot.profilePath));
}

}  // namespace

std::string begunText(const host::FileReader& files, std::string_view id) {
    const auto stat = files.read("/proc/self/stat");
    const auto start = stat ? startOfProcess(*stat) : std::nullopt;
    const auto process =
        start ? parseUnsigned(stat->substr(0, stat->find(' '))) : std::nullopt;
    return process ? fmt::format("{} {} {}\n", id, *process, *start)
                   : fmt::format("{}\n", id);
}

std::optional<Begun> readBegun(const host::FileReader& files) {
    const auto text = files.read(kBegunPath);
    if (!text) {
        return std::nullopt;
    }
    const auto words = split(trimmed(*text), ' ');
    Begun begun{.id = std::string(words.front())};
    if (!isSnapshotId(begun.id)) {
        return std::nullopt;
    }
    if (words.size() == 3) {
        begun.process = parseUnsigned(words[1]).value_or(0);
        begun.processStart = parseUnsigned(words[2]).value_or(0);
    }
    return begun;
}

std::optional<CutOff> cutOffRun(const host::Reader& host) {
    const auto begun = readBegun(host.files);
    if (!begun || stillRuns(host.files, *begun)) {
        return std::nullopt;
    }
    auto snapshot = load(host.files, begun->id);
    if (!snapshot) {
        // Without a file it was cut off before its first write.
        return snapshot.error().kind == ErrorKind::notFound
                   ? std::nullopt
                   : std::optional(CutOff{.id = begun->id, .snapshot = {}});
    }
    if (isAsItWas(host, *snapshot, inventory::observePlatform(host))) {
        return std::nullopt;
    }
    return CutOff{.id = begun->id, .snapshot = std::move(*snapshot)};
}

resource::Finding cutOffFinding(const CutOff& run, bool waits, AfterCutOff now) {
    const std::string what = run.snapshot ? fmt::format("'{}', begun at {},",
                                                        commandOf(*run.snapshot),
                                                        timeText(run.snapshot->taken))
                                          : "a run (" + run.id + ")";
    resource::Finding finding{
        .id = "run.cut-off",
        .severity = resource::Severity::warn,
        .summary = what + (now == AfterCutOff::unknown
                               ? " was cut off while it wrote: a part of what it was "
                                 "to do may not be done"
                               : " was cut off before it could prove what it wrote: "
                                 "this run found everything as wanted"),
        .evidence = "fabricctl history --run " + run.id,
        .fix = fmt::format("to go back before it: fabricctl restore {}{}",
                           run.id,
                           waits ? " --unconfirmed" : "")};
    if (run.snapshot && !waits && now != AfterCutOff::settled) {
        finding.fix = fmt::format(
            "{}: fabricctl {}; {}",
            now == AfterCutOff::unknown ? "to complete it" : "to have it proved",
            commandOf(*run.snapshot),
            finding.fix);
    }
    return finding;
}

}  // namespace fabric::snapshot
