// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"

namespace fabric::profile {

// The tree of one rail: every matching override merged over the sections, completed
// and judged.
[[nodiscard]] ProfileResult<TreeNode> completedFor(const Document& document,
                                                   const RailIdentity& rail);

// The sections that can differ per rail, and the others.
[[nodiscard]] TreeNode railPart(TreeNode completed);
[[nodiscard]] TreeNode hostPart(TreeNode completed);

// A checked tree with every scalar in the type that the table gives it. Amounts and
// words are text, keys of maps are text.
[[nodiscard]] Value valueOf(const TreeNode& root);

}  // namespace fabric::profile
