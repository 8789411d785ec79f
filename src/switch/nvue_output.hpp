// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <map>
#include <string>
#include <string_view>

namespace fabric::switches {

// What `nv show` of Cumulus Linux 5 printed, by paths as its JSON nests them:
// "pfc/rx-enabled", "prio-map/3/dscp", "traffic-class/3/min-threshold". Lists are
// joined by commas.
using NvueValues = std::map<std::string, std::string, std::less<>>;

// One output of `nv show qos roce` or `nv show qos congestion-control`, as text (what a
// terminal shows, prompt and all) or as JSON (-o json). Of the columns the operational
// one counts, and the applied one where that is empty. `origin` is named in errors. At
// most 1 MiB; an error when it holds no property.
[[nodiscard]] Result<NvueValues> parseNvue(std::string_view text,
                                           const std::string& origin);

}  // namespace fabric::switches
