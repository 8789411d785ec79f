// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "engine/plan_record.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fabric::report {

// Of a plan file; docs/plan-schema.json says what is in it.
inline constexpr std::size_t kMaxPlanBytes = std::size_t{16} << 20U;

[[nodiscard]] std::string toJson(const engine::PlanRecord& plan);

// True for a plan file, also for a broken one or one of a later version: a JSON object
// that names its schema at its begin. A profile never does.
[[nodiscard]] bool looksLikePlan(std::string_view text);

// A plan that cannot be read is an error that says what to do.
[[nodiscard]] Result<engine::PlanRecord> parsePlan(std::string_view text);

// `plan` as it reads after a way through its file: bytes that no JSON text can hold are
// replaced. Only such plans compare.
[[nodiscard]] engine::PlanRecord asWritten(const engine::PlanRecord& plan);

}  // namespace fabric::report
