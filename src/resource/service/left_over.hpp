// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "profile/settings.hpp"
#include "resource/finding.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::service {

// Drop-ins and environment files of ours that the profile does not ask for: its unit
// was another one, or its section is gone. What a profile no longer names is released,
// not undone, so they are told and never removed. What cannot be read is left out.
[[nodiscard]] std::vector<Finding> leftOvers(
    const host::FileReader& files,
    const std::optional<profile::ServiceSettings>& settings,
    bool image);

// Directories whose lists are read for this, and whether a name in one may be ours.
[[nodiscard]] bool holdsLeftOvers(std::string_view directory);
[[nodiscard]] bool mayBeLeftOver(const host::FileReader& files,
                                 std::string_view directory,
                                 std::string_view name);

}  // namespace fabric::resource::service
