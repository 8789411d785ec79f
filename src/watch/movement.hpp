// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "watch/counter_names.hpp"
#include "watch/sample.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fabric::watch {

// What was counted, and for which priority; without one for the whole rail.
struct Counted {
    Meaning meaning;
    std::optional<Priority> priority;
    auto operator<=>(const Counted&) const = default;
};

// By how much each counter rose. What is not in here is not known: the driver does not
// count it, it could not be read, or it started again.
using Rises = std::map<Counted, std::uint64_t>;

[[nodiscard]] std::optional<std::uint64_t> riseOf(
    const Rises& rises,
    Meaning meaning,
    std::optional<Priority> priority = std::nullopt);

// What several priorities count together: empty without any, and when one of them does
// not tell, since a part is no sum.
[[nodiscard]] std::optional<std::uint64_t> sumOf(const Rises& rises,
                                                 Meaning meaning,
                                                 const std::set<Priority>& priorities);

// What they count at least, whoever does not tell: enough to say that it happened,
// never that it did not.
[[nodiscard]] std::uint64_t atLeast(const Rises& rises,
                                    Meaning meaning,
                                    const std::set<Priority>& priorities);

// What happened on one rail between two samples.
struct Movement {
    double seconds = 0;
    Rises rises;
    std::vector<std::string> rebased;  // "ens1f0np0: rx_prio3_pause": it went backwards
    std::vector<std::string> problems;  // what could not be read, as it is said
};

// Pure. What several devices of a rail count is known when each of them tells it.
[[nodiscard]] Movement between(const Sample& before, const Sample& after);

// Pure. What was counted up to one sample, since each device came up.
[[nodiscard]] Rises standing(const Sample& sample);

}  // namespace fabric::watch
