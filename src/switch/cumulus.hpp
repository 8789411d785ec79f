// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"
#include "profile/profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fabric::switches {

// Where ECN begins to mark, and from where on it marks everything, on the lossless
// traffic class of a port of 400 Gb/s; the switch's own defaults are of slower links.
inline constexpr std::uint64_t kMinThreshold = std::uint64_t{4} << 20U;
inline constexpr std::uint64_t kMaxThreshold = std::uint64_t{40} << 20U;

// What a profile wants of the switches between its hosts.
struct Wish {
    std::string profile;
    Priority priority;
    Dscp dscp;
    TrafficClass trafficClass;
};

// From the sections of the profile without its overrides. An error when it names not
// one lossless priority and one DSCP, or some that the lossless mode of Cumulus Linux
// does not have: that is priority 3 with the DSCPs 24 to 31.
[[nodiscard]] Result<Wish> wishOf(const profile::Profile& profile);

// NVUE commands of Cumulus Linux 5.
struct Commands {
    std::vector<std::string> set;     // saved before and after
    std::vector<std::string> verify;  // whose output `switch verify` takes
    std::vector<std::string> undo;
};

[[nodiscard]] Commands commandsFor(const Wish& wish);

}  // namespace fabric::switches
