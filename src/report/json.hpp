// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"

#include <string>
#include <string_view>

namespace fabric::report {

// One JSON document, schema "fabricctl/report/1" (fabricctl-report(5)), with a final
// newline. Valid for every outcome, also for an invalid profile and for a run that
// could not start.
[[nodiscard]] std::string toJson(const engine::Report& report);

// The same tree for any value: used by status, facts and profile show.
[[nodiscard]] std::string toJson(const Value& value);

// "info", "warn" or "fail", as every document says it.
[[nodiscard]] std::string_view severityName(resource::Severity severity);

}  // namespace fabric::report
