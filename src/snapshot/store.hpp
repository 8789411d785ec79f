// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/host.hpp"
#include "snapshot/snapshot.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Where snapshots lie, for reading.
namespace fabric::snapshot {

inline constexpr const char* kStateDirectory = "/var/lib/fabricctl";
inline constexpr const char* kSnapshotDirectory = "/var/lib/fabricctl/snapshots";
inline constexpr const char* kBaselinePath = "/var/lib/fabricctl/baseline.json";
inline constexpr const char* kBaselineId = "baseline";
// The id of the snapshot whose run has not ended: it runs, or it was killed.
inline constexpr const char* kBegunPath = "/var/lib/fabricctl/snapshots/begun";
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

// The snapshot whose run never said that it ended; "" when there is none.
[[nodiscard]] std::string begunId(const host::FileReader& files);

// What the last run that changed something found before. The snapshot of a run that was
// killed counts when something is not as it says any more.
[[nodiscard]] Result<Snapshot> loadLatest(const host::Reader& host);

}  // namespace fabric::snapshot
