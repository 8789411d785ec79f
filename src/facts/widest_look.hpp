// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "profile/profile.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::facts {

// Something of the machine that could not be told.
struct Untold {
    std::string part;    // "module/ib_core"
    std::string reason;  // what kept it
};

// Asks a machine everything that plan, check, status and doctor may ask about it,
// whatever a profile says, by running them with profiles that own everything. Questions
// that only a difference leads to are asked one by one. What could not be told is all
// that is of interest here: the same would be unreadable to a check of these facts.
[[nodiscard]] std::vector<Untold> askEverything(
    const host::Reader& machine, std::span<const profile::Profile> profiles);

// The profiles that own everything, as text.
[[nodiscard]] std::span<const std::string_view> widestProfiles();

}  // namespace fabric::facts
