// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profile.hpp"

#include <span>
#include <string>

namespace fabric::profile {

// The effective profile as YAML that loads again: defaults filled in and marked as
// such, overrides applied. Rails with equal settings share the sections; where rails
// differ, each has its own under `overrides`. Without rails, the profile's own
// overrides follow as they are written. Fails like Profile::settingsFor, with the
// errors of every rail.
[[nodiscard]] ProfileResult<std::string> showProfile(
    const Profile& profile, std::span<const RailIdentity> rails);

// The sections that may differ per rail, for no rail in particular: defaults filled in,
// `overrides` as they are written. For a machine on which the profile selects no rail.
[[nodiscard]] Value sectionsForNoRail(const Profile& profile);

}  // namespace fabric::profile
