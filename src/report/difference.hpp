// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"

#include <string>

namespace fabric::report {

// What differs or was changed, as two texts of the same lines that configuration
// management can print as a diff: one "id: value" line per property, sorted by id.
struct DifferenceText {
    std::string before;
    std::string after;
};

[[nodiscard]] DifferenceText differenceText(const engine::Report& report);

}  // namespace fabric::report
