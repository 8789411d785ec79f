// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "snapshot/snapshot.hpp"

#include <string>
#include <string_view>

// The form in which snapshots are kept: "fabricctl/snapshot/1",
// docs/snapshot-schema.json.
namespace fabric::snapshot {

inline constexpr const char* kSchema = "fabricctl/snapshot/1";

// One JSON document with a final newline. Text that is not UTF-8 is carried as base64,
// so that every byte comes back.
[[nodiscard]] std::string toJson(const Snapshot& snapshot);

// ErrorKind::unsupported for another version, refused for one that was edited since it
// was written (seal.hpp), malformed for anything that is not exactly such a document:
// what was not read or not understood must not be written to a machine.
[[nodiscard]] Result<Snapshot> fromJson(std::string_view text);

}  // namespace fabric::snapshot
