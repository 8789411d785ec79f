// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "doctor/metrics.hpp"

#include <optional>
#include <string>

namespace fabric::report {

// What a storage server counts itself, one number a line. Foreign text is escaped.
[[nodiscard]] std::string toText(const doctor::MetricsEvidence& metrics);
// The member `metrics` of docs/doctor-schema.json; null: the server was not asked.
[[nodiscard]] Value metricsValue(const std::optional<doctor::MetricsEvidence>& metrics);

}  // namespace fabric::report
