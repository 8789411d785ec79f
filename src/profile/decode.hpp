// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"
#include "profile/settings.hpp"

// Completed trees (complete.hpp) that passed every check, as settings. Pure and total.
namespace fabric::profile {

[[nodiscard]] RailSelection decodeRails(const TreeNode& root);
[[nodiscard]] RailSelector decodeSelector(const TreeNode& selector);
[[nodiscard]] HostSettings decodeHost(const TreeNode& root);
[[nodiscard]] RailSettings decodeRailSettings(const TreeNode& root);

}  // namespace fabric::profile
