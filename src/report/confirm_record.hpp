// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confirm.hpp"
#include "host/host.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::report {

// The record of an apply that waits to be confirmed, schema "fabricctl/confirm/1".
[[nodiscard]] std::string toJson(const engine::ConfirmRecord& record);
[[nodiscard]] Result<engine::ConfirmRecord> parseConfirmRecord(std::string_view text);
// engine::kConfirmRecord; empty when there is none.
[[nodiscard]] Result<std::optional<engine::ConfirmRecord>> readConfirmRecord(
    const host::FileReader& files);
// What `check` and `status` tell of it, see engine::confirmFinding; a record that
// cannot be read is a finding too.
[[nodiscard]] std::vector<resource::Finding> confirmFindings(const host::Reader& host,
                                                             const std::string& bootId);

}  // namespace fabric::report
