// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
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

// The newest one: what the last run that wrote something found before.
[[nodiscard]] Result<Snapshot> loadLatest(const host::FileReader& files);

}  // namespace fabric::snapshot
