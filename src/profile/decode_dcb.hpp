// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"
#include "profile/settings.hpp"

namespace fabric::profile {

// The section `dcb` of a completed tree.
[[nodiscard]] DcbSettings decodeDcb(const TreeNode& dcb);

}  // namespace fabric::profile
