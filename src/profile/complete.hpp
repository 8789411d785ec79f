// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"

namespace fabric::profile {

// A merged tree with every missing value filled in: first the table's defaults of the
// sections that are present, then what follows from dcb.lossless. Such values have
// Origin::derived. Keys come in table order. A null stays where it says "not owned".
[[nodiscard]] TreeNode complete(TreeNode merged);

}  // namespace fabric::profile
