// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/executor.hpp"
#include "engine/history.hpp"
#include "engine/report.hpp"
#include "host/history_log.hpp"
#include "host/host.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fabric::cli {

// The id of a run: that of its snapshot, so that what was written and what undoes it
// have one name. Without one "20260131T120000Z-1a2b3c4d": sorts by time, and no two
// runs share it.
[[nodiscard]] std::string runId(const std::string& snapshot, const host::Clock& clock);

// Who runs `command` here: the caller of this process. `profile`: nullptr for a run
// without one.
[[nodiscard]] engine::HistoryRun runOfThisProcess(
    const host::Reader& host,
    std::string id,
    std::string command,
    const profile::Profile* profile = nullptr);

// One run in the history of changes. What cannot be added is counted and told at the
// end; it never stops the run.
class RunHistory {
  public:
    // `who` is asked when something is to be written: a run that finds nothing to do
    // hashes nothing.
    RunHistory(host::HistoryLog& log,
               const host::Clock& clock,
               std::function<engine::HistoryRun()> who)
        : log_(log), clock_(clock), who_(std::move(who)) {}

    // Adds itself to what a run calls: its begin, and a line per write.
    void follow(engine::ExecutionOptions& options);
    // The same one by one.
    void begin(const std::vector<resource::Assessment>& before);
    void wrote(const resource::Step& step,
               const resource::Write& write,
               const Result<engine::Acceptance>& answer);
    // Nothing for a run that did not begin. Waits for the disk. What was lost is a
    // finding of the report.
    void end(engine::Report& report);

  private:
    void add(engine::HistoryEntry entry);
    [[nodiscard]] std::vector<engine::HistoryChange> changesOf(
        const resource::Step& step) const;

    host::HistoryLog& log_;
    const host::Clock& clock_;
    std::function<engine::HistoryRun()> who_;
    engine::HistoryRun run_;
    engine::HistoryChanges changes_;
    const resource::Step* lastStep_ = nullptr;
    std::uint64_t steps_ = 0;
    bool begun_ = false;
    std::uint64_t lost_ = 0;
    std::optional<Error> trouble_;  // the first
};

}  // namespace fabric::cli
