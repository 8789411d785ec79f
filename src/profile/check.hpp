// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"

namespace fabric::profile {

// Every unknown key, wrong type and impossible value of one file, by the table of
// keys. What is wrong is taken out of the tree, a section below a section as a whole,
// so that what several keys mean together (rules.hpp) can still be judged on the rest.
[[nodiscard]] ProfileErrors checkKeys(TreeNode& root);

}  // namespace fabric::profile
