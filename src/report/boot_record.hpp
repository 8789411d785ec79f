// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/boot.hpp"

#include <string>
#include <string_view>

namespace fabric::report {

// /run/fabricctl/boot.json, schema "fabricctl/boot/1".
[[nodiscard]] std::string toJson(const engine::BootRecord& record);

// ErrorKind::malformed for anything else.
[[nodiscard]] Result<engine::BootRecord> parseBootRecord(std::string_view text);

// The record on a machine; empty when there is none.
[[nodiscard]] Result<std::optional<engine::BootRecord>> readBootRecord(
    const host::FileReader& files);

}  // namespace fabric::report
