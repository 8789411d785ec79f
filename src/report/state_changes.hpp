// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabric::report {

// Outcome by id of a report that was saved as JSON; empty when the text is none: then
// everything counts as having been as wanted.
[[nodiscard]] std::map<std::string, std::string> savedOutcomes(std::string_view json);

// What a journal entry says: field names in upper case, MESSAGE first.
using JournalFields = std::vector<std::pair<std::string, std::string>>;

// One entry for each property whose outcome is another than in the saved report: that
// it went wrong, went wrong in another way, or is as wanted again. `changed` counts as
// as wanted. A run that could not be done is one entry. Pure.
[[nodiscard]] std::vector<JournalFields> stateChanges(
    const std::map<std::string, std::string>& before, const engine::Report& now);

}  // namespace fabric::report
