// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confirm.hpp"
#include "engine/report.hpp"

#include <optional>
#include <string>

namespace fabric::report {

// The JSON report of a run that waits to be confirmed, or of a `confirm`.
[[nodiscard]] std::string toJson(const engine::Report& report,
                                 const std::optional<engine::Confirm>& confirm);
// What a person reads below such a report, "" when there is nothing to confirm.
[[nodiscard]] std::string toText(const std::optional<engine::Confirm>& confirm);

}  // namespace fabric::report
