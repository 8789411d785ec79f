// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"

#include <span>

namespace fabric::profile {

// `over` laid over `base`: maps merge by key, everything else is replaced, null too
// (it stays in the tree, since it says "not owned").
[[nodiscard]] TreeNode mergeOver(TreeNode base, const TreeNode& over);

// Marks every value of a tree as part of this layer.
void setLayer(TreeNode& tree, unsigned layer);

// The sections of several overrides as one tree. Each key that two of them set is an
// error at the later one, which names the earlier.
[[nodiscard]] ProfileResult<TreeNode> combine(
    std::span<const Override* const> overrides);

}  // namespace fabric::profile
