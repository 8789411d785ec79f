// SPDX-License-Identifier: Apache-2.0
#include "cli/run_history.hpp"

#include "base/text.hpp"
#include "report/history.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <limits>
#include <utility>

namespace fabric::cli {

namespace {

constexpr const char* kLoginUserFile = "/proc/self/loginuid";
constexpr const char* kBootIdFile = "/proc/sys/kernel/random/boot_id";

// (uid_t)-1 stands for none (audit_getloginuid(3)); a kernel without audit has no file.
std::optional<std::uint32_t> loginUser(const host::FileReader& files) {
    constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();
    const auto text = files.read(kLoginUserFile);
    const auto number = text ? parseUnsigned(trimmed(*text)) : std::nullopt;
    return number && *number < kNone
               ? std::optional(static_cast<std::uint32_t>(*number))
               : std::nullopt;
}

}  // namespace

std::string runId(const std::string& snapshot, const host::Clock& clock) {
    if (!snapshot.empty()) {
        return snapshot;
    }
    std::uint32_t tag = 0;
    if (::getrandom(&tag, sizeof tag, 0) != static_cast<ssize_t>(sizeof tag)) {
        tag = static_cast<std::uint32_t>(::getpid());
    }
    const auto now = std::chrono::system_clock::to_time_t(clock.wallTime());
    return fmt::format("{:%Y%m%dT%H%M%S}Z-{:08x}", fmt::gmtime(now), tag);
}

engine::HistoryRun runOfThisProcess(const host::Reader& host,
                                    std::string id,
                                    std::string command,
                                    const profile::Profile* profile) {
    const auto bootId = host.files.read(kBootIdFile);
    return {.id = std::move(id),
            .command = std::move(command),
            .bootId = bootId ? std::string(trimmed(*bootId)) : std::string(),
            .user = ::getuid(),
            .loginUser = loginUser(host.files),
            .process = static_cast<std::uint32_t>(::getpid()),
            .profile = profile == nullptr ? std::vector<engine::HashedFile>{}
                                          : engine::hashesOf(host.files, *profile)};
}

void RunHistory::follow(engine::ExecutionOptions& options) {
    options.onBegin = [this](const std::vector<resource::Assessment>& before) {
        begin(before);
    };
    options.onWrite = [this](const resource::Step& step,
                             const resource::Write& write,
                             const Result<engine::Acceptance>& answer) {
        wrote(step, write, answer);
    };
}

void RunHistory::begin(const std::vector<resource::Assessment>& before) {
    changes_ = engine::changesOf(before);
    run_ = who_();
    begun_ = true;
    add({});
}

void RunHistory::wrote(const resource::Step& step,
                       const resource::Write& write,
                       const Result<engine::Acceptance>& answer) {
    const bool first = lastStep_ != &step;
    lastStep_ = &step;
    steps_ += first ? 1 : 0;
    engine::HistoryWrite entry{
        .step = steps_,
        .rail = step.rail,
        .summary = step.summary,
        .changes = {},
        .wrote = engine::describeWrite(write, answer ? answer->word : std::nullopt),
        .accepted = answer.has_value(),
        .sysErrno = 0,
        .message = {}};
    if (first) {
        entry.changes = changesOf(step);
    }
    if (answer) {
        entry.message = answer->note;
    } else {
        entry.sysErrno = answer.error().sysErrno;
        entry.message = answer.error().message();
    }
    add({.time = {}, .run = {}, .write = std::move(entry), .end = {}});
}

std::vector<engine::HistoryChange> RunHistory::changesOf(
    const resource::Step& step) const {
    std::vector<engine::HistoryChange> changes;
    for (const std::string& id : step.ids) {
        const auto known = changes_.find(id);
        changes.push_back(known == changes_.end() ? engine::HistoryChange{.id = id}
                                                  : known->second);
    }
    return changes;
}

void RunHistory::end(engine::Report& report) {
    if (!begun_) {
        return;
    }
    add({.time = {},
         .run = {},
         .write = {},
         .end = engine::HistoryEnd{.exitCode = static_cast<int>(report.exitCode()),
                                   .result = std::string(report.result()),
                                   .lostLines = lost_}});
    if (const auto kept = log_.sync(); !kept && !trouble_) {
        trouble_ = kept.error();
    }
    if (trouble_) {
        report.findings.push_back(
            {.id = "history.not-written",
             .severity = resource::Severity::warn,
             .summary = lost_ > 0 ? fmt::format("{} lines of the history of changes "
                                                "could not be written",
                                                lost_)
                                  : "the history of changes may not be on the disk",
             .evidence = trouble_->message(),
             .fix = trouble_->advice});
    }
}

void RunHistory::add(engine::HistoryEntry entry) {
    entry.time = report::historyTime(clock_.wallTime());
    entry.run = run_;
    if (auto added = log_.append(report::toHistoryLine(entry)); !added) {
        ++lost_;
        if (!trouble_) {
            trouble_ = std::move(added.error());
        }
    }
}

}  // namespace fabric::cli
