// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fabric::profile {

// The profile of a host when none is named.
inline constexpr const char* kDefaultPath = "/etc/fabricctl/profile.yaml";

}  // namespace fabric::profile
