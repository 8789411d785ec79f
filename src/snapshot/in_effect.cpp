// SPDX-License-Identifier: Apache-2.0
#include "snapshot/in_effect.hpp"

#include "base/text.hpp"
#include "snapshot/run_number.hpp"
#include "snapshot/store.hpp"

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

std::vector<Restored> parseRestored(std::string_view text) {
    std::vector<Restored> restores;
    for (const std::string_view line : split(text, '\n')) {
        const auto space = line.find(' ');
        if (space == std::string_view::npos) {
            continue;
        }
        const std::string_view after = line.substr(0, space);
        const std::string_view target = line.substr(space + 1);
        if (isSnapshotId(after) && isTarget(target)) {
            restores.push_back(
                {.after = std::string(after), .target = std::string(target)});
        }
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

std::vector<Restored> readRestored(const host::FileReader& files) {
    const auto text = files.read(kRestoredPath);
    return text ? parseRestored(*text) : std::vector<Restored>{};
}

}  // namespace fabric::snapshot
