// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/boot.hpp"

#include <string>
#include <string_view>

namespace fabric::report {

// /run/fabricctl/boot.json, schema "fabricctl/boot/1". "first" came later: a record
// without it is that of the only run known. So did "profile_files": without them it is
// not known what was applied.
[[nodiscard]] std::string toJson(const engine::BootRecord& record);

// ErrorKind::malformed for anything else.
[[nodiscard]] Result<engine::BootRecord> parseBootRecord(std::string_view text);

// The record on a machine; empty when there is none. Believed only as a regular file of
// root that no one else may write, in directories of which the same is true, no link:
// anything else is an error with the reason.
[[nodiscard]] Result<std::optional<engine::BootRecord>> readBootRecord(
    const host::FileReader& files);

}  // namespace fabric::report
