// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "base/value.hpp"
#include "snapshot/snapshot.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fabric::report {

// One file of the store: what it holds, or why that cannot be told.
struct StoredSnapshot {
    std::string id;
    Result<snapshot::Snapshot> content;
    // Whether a restore put back what its apply found. Empty: that cannot be told.
    std::optional<bool> undone = false;
};

// `snapshot list`, as JSON "fabricctl/snapshots/1" and for a person.
[[nodiscard]] Value toValue(const std::vector<StoredSnapshot>& stored);
[[nodiscard]] std::string toText(const std::vector<StoredSnapshot>& stored);

// `snapshot show` for a person: what was read at each thing, and what stays as it is.
// Foreign text is escaped.
[[nodiscard]] std::string toText(const snapshot::Snapshot& snapshot);

}  // namespace fabric::report
