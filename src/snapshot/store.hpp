// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/host.hpp"
#include "snapshot/snapshot.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Where snapshots lie, for reading.
namespace fabric::snapshot {

inline constexpr const char* kStateDirectory = "/var/lib/fabricctl";
inline constexpr const char* kSnapshotDirectory = "/var/lib/fabricctl/snapshots";
inline constexpr const char* kBaselinePath = "/var/lib/fabricctl/baseline.json";
inline constexpr const char* kBaselineId = "baseline";
// The snapshot whose run has not ended: it runs, or it was killed (cut_off.hpp).
inline constexpr const char* kBegunPath = "/var/lib/fabricctl/snapshots/begun";
// The restores that were completed (in_effect.hpp).
inline constexpr const char* kRestoredPath = "/var/lib/fabricctl/snapshots/restored";
inline constexpr std::size_t kKeptSnapshots = 32;
inline constexpr std::size_t kLargestSnapshot = std::size_t{4} << 20U;  // bytes

// "20261130T084512Z-000012": when, and the number of the run.
[[nodiscard]] bool isSnapshotId(std::string_view id);
// The file of an id; of "baseline" too.
[[nodiscard]] std::string pathOf(std::string_view id);

// The ids in the store, oldest run first. No store is none.
[[nodiscard]] Result<std::vector<std::string>> storedIds(const host::FileReader& files);

// One snapshot, or the baseline. Refused: a file that is not root's, that others may
// write or that a link of somebody else leads to (a restore writes as root what it
// says), a damaged one, one of a newer version. An unknown id names those that there
// are.
[[nodiscard]] Result<Snapshot> load(const host::FileReader& files, std::string_view id);

// What a restore that names no snapshot puts back: what the last apply found before
// that changed something and was not undone since (in_effect.hpp). Never a restore's
// own snapshot: it holds what was just undone. One that everything still is as, or is
// as again, has nothing to be undone. std::nullopt: nothing is left to undo. An error
// when no run ever left one, the one in question cannot be read (it then names the next
// older one), or it is not known what was undone.
[[nodiscard]] Result<std::optional<Snapshot>> loadLatest(const host::Reader& host);

// What the last run that wrote to each thing left there, as far as the store tells.
[[nodiscard]] Left lastLeft(const host::FileReader& files);

// The ids of the applies in effect, oldest first. One that cannot be read may be one.
// An error when the record of restores is damaged.
[[nodiscard]] Result<std::vector<std::string>> appliesInEffect(
    const host::FileReader& files);

}  // namespace fabric::snapshot
