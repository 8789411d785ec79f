// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"
#include "profile/settings.hpp"

// Completed trees (complete.hpp) that passed every check, as settings. Pure and total.
namespace fabric::profile {

[[nodiscard]] RailSelection decodeRails(const Node& root);
[[nodiscard]] RailSelector decodeSelector(const Node& selector);
[[nodiscard]] HostSettings decodeHost(const Node& root);
[[nodiscard]] RailSettings decodeRailSettings(const Node& root);

}  // namespace fabric::profile
