// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inventory/rail.hpp"
#include "profile/settings.hpp"
#include "resource/assessment.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fabric::engine {

// What the profile's selectors are matched against.
[[nodiscard]] profile::RailIdentity identityOf(const inventory::Rail& rail);

// The rails that a profile selects out of all candidates.
struct RailSelectionResult {
    std::vector<inventory::Rail> rails;  // sorted by name
    std::vector<resource::Finding>
        findings;  // left out by the default match, selectors without a match
    std::optional<resource::Assessment>
        expect;             // rails/expect: when the profile expects
                            // a number, and when there is no rail
    bool tooMany = false;   // more than `expect` allows: no rail may be written
    bool complete = false;  // `wait` may end: fabricctl-profile(5), expect and wait
};

// Pure. The default match is every physical Ethernet RDMA port's net device that does
// not carry the default route. An interface stacked on a selected rail is part of that
// rail.
[[nodiscard]] RailSelectionResult selectRails(
    const profile::RailSelection& selection,
    std::span<const inventory::Rail> candidates);

// Says what was looked for and what would make a rail appear, when none was selected.
[[nodiscard]] resource::Finding noRailsFinding(
    const profile::RailSelection& selection,
    std::span<const inventory::Rail> candidates);

}  // namespace fabric::engine
