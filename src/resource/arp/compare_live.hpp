// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/arp/state.hpp"

#include <set>
#include <span>
#include <string>

namespace fabric::resource::arp {

struct LiveComparison {
    Comparison comparison;
    // Differences that somebody made: the value is not the one that an interface is
    // born with.
    std::set<std::string> contested;
};

// What takes effect now against what is wanted. Under scope `rails` only the rails' own
// values are written, also when conf.all then decides otherwise; under `all` conf.all
// comes first, and an interface's own value only where that is not enough. Pure.
[[nodiscard]] LiveComparison compareLive(std::span<const Place> places,
                                         const State& state);

}  // namespace fabric::resource::arp
