// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/facts.hpp"
#include "fleet/record.hpp"
#include "profile/profile.hpp"

#include <span>
#include <string>
#include <string_view>

namespace fabric::fleet {

// Parts of a document of facts that reduce() has no use for, by the names that lead to
// them (JsonBounds::leavesOut): more than half of it. Without them it says the same.
[[nodiscard]] bool isNotCompared(std::span<const std::string_view> path);

// What the comparison needs of one host's facts, seen as doctor sees the host. Pure.
// `profile` says which interfaces are rails, and of which storage server to tell, if of
// any; without one they are the RDMA ports and that of MinIO.
[[nodiscard]] HostRecord reduce(facts::Facts facts,
                                std::string origin,
                                const profile::Profile* profile = nullptr);

}  // namespace fabric::fleet
