// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/secrets.hpp"
#include "profile/document.hpp"
#include "profile/profile.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::facts {

// Takes out of a profile what may be a secret: values of variables that do not matter
// here, and whatever `secrets` finds.
void hideSecrets(const Secrets& secrets, profile::TreeNode& root);

// The profile as it is written, with what it extends merged in and no default filled
// in: it says of the host's facts what the profile said of the host.
[[nodiscard]] profile::TreeNode mergedProfile(const profile::Profile& profile);

// The peers in the inventory at a path; empty: it cannot be read.
using Inventory = std::function<std::optional<std::vector<profile::NeighbourPeer>>(
    const std::string&)>;

// Puts peers in the place of the inventories that a profile names, in overrides too:
// those are files of their own.
void inlinePeers(const Inventory& inventory, profile::TreeNode& root);

// The hosts that its peers name.
[[nodiscard]] std::vector<std::string> hostsOf(const profile::TreeNode& root);

}  // namespace fabric::facts
