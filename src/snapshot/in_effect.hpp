// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "host/files.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Which applies are in effect: neither undone by a restore, nor only by one that was
// itself undone since.
namespace fabric::snapshot {

// A restore that put back everything that it was asked for.
struct Restored {
    std::string after;   // the newest snapshot once it was over, mostly its own
    std::string target;  // the snapshot that it put back
    bool operator==(const Restored&) const = default;
};

// What the store says of one of its snapshots.
struct StoredRun {
    std::string id;
    bool restores = false;  // taken by a restore, which is no apply to be undone
};

// The applies in effect, oldest first. A restore brings back what was in effect right
// before the run of its target: that of an apply undoes it and every later one, that
// of a restore brings back what the latter had undone. Restores that did not put back
// everything undid nothing. `runs` are in the order of their numbers. Pure.
[[nodiscard]] std::vector<std::string> inEffect(std::span<const StoredRun> runs,
                                                std::span<const Restored> restores);

// The record of restores that were completed, in their order. A line that is none makes
// it malformed: it may have named any of them.
[[nodiscard]] Result<std::vector<Restored>> parseRestored(std::string_view text);
[[nodiscard]] std::string toText(std::span<const Restored> restores);
// No record is none.
[[nodiscard]] Result<std::vector<Restored>> readRestored(const host::FileReader& files);

}  // namespace fabric::snapshot
