// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "profile/profile.hpp"

#include <span>
#include <string_view>

namespace fabric::facts {

// Asks a machine everything that plan, check, status and doctor may ask about it,
// whatever a profile says, by running them with profiles that own everything. Questions
// that only a difference leads to are asked one by one. What is answered is of no
// interest here.
void askEverything(const host::Reader& machine,
                   std::span<const profile::Profile> profiles);

// The profiles that own everything, as text.
[[nodiscard]] std::span<const std::string_view> widestProfiles();

}  // namespace fabric::facts
