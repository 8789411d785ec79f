// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"

namespace fabric::profile {

// What several keys of a completed tree must not say together. An error stands at the
// value of the outermost layer that takes part, so that an override is blamed for what
// it changed, and names the place of the other.
[[nodiscard]] ProfileErrors checkRules(const TreeNode& completed);

}  // namespace fabric::profile
