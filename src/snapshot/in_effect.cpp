// SPDX-License-Identifier: Apache-2.0
#include "snapshot/in_effect.hpp"

#include "base/text.hpp"
#include "snapshot/run_number.hpp"
#include "snapshot/store.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace fabric::snapshot {

namespace {

// What was in effect before each run that the store knows.
class Course {
  public:
    void begin(const StoredRun& run) {
        before_.emplace_back(runNumber(run.id).value_or(0), now_);
        if (!run.restores) {
            now_.push_back(run.id);
        }
    }

    // The baseline was before every run. A snapshot that was rotated away is older
    // than all that there are.
    void goBackBefore(std::string_view target) {
        const std::uint64_t number =
            target == kBaselineId ? 0 : runNumber(target).value_or(0);
        for (const auto& [run, then] : before_) {
            if (run >= number) {
                now_ = std::vector(then);
                return;
            }
        }
    }

    std::vector<std::string> now() && { return std::move(now_); }

  private:
    std::vector<std::pair<std::uint64_t, std::vector<std::string>>> before_;
    std::vector<std::string> now_;
};

constexpr const char* kReading = "read which snapshots were put back";

Error unreadable(std::size_t line) {
    return {
        .kind = ErrorKind::malformed,
        .action = kReading,
        .subject = kRestoredPath,
        .sysErrno = 0,
        .detail = fmt::format("line {} is damaged, so it is not known which applies "
                              "were undone",
                              line),
        .advice = fmt::format("name the snapshot: fabricctl restore ID (fabricctl "
                              "snapshot list); or begin the record anew, in which "
                              "none was undone: rm {}",
                              kRestoredPath)};
}

bool isTarget(std::string_view id) {
    return id == kBaselineId || isSnapshotId(id);
}

}  // namespace

std::vector<std::string> inEffect(std::span<const StoredRun> runs,
                                  std::span<const Restored> restores) {
    Course course;
    for (const StoredRun& run : runs) {
        course.begin(run);
        for (const Restored& restore : restores) {
            if (restore.after == run.id) {
                course.goBackBefore(restore.target);
            }
        }
    }
    return std::move(course).now();
}

Result<std::vector<Restored>> parseRestored(std::string_view text) {
    std::vector<Restored> restores;
    std::vector<std::string_view> lines = split(text, '\n');
    // It is written as a whole, and never without a line.
    if (lines.size() < 2 || !lines.back().empty()) {
        return fail(unreadable(restores.size() + 1));
    }
    lines.pop_back();
    for (const std::string_view line : lines) {
        const auto space = line.find(' ');
        const std::string_view after = line.substr(0, space);
        if (space == std::string_view::npos || !isSnapshotId(after) ||
            !isTarget(line.substr(space + 1))) {
            return fail(unreadable(restores.size() + 1));
        }
        restores.push_back({.after = std::string(after),
                            .target = std::string(line.substr(space + 1))});
    }
    return restores;
}

std::string toText(std::span<const Restored> restores) {
    std::string text;
    for (const Restored& restore : restores) {
        text += restore.after + " " + restore.target + "\n";
    }
    return text;
}

Result<std::vector<Restored>> readRestored(const host::FileReader& files) {
    auto text = files.read(kRestoredPath);
    if (!text && text.error().kind == ErrorKind::notFound) {
        return std::vector<Restored>{};
    }
    if (!text) {
        text.error().action = kReading;
        return fail(std::move(text.error()));
    }
    return parseRestored(*text);
}

}  // namespace fabric::snapshot
