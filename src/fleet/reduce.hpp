// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/facts.hpp"
#include "fleet/record.hpp"

#include <string>

namespace fabric::fleet {

// What the comparison needs of one host's facts, seen as doctor sees the host. Pure.
[[nodiscard]] HostRecord reduce(facts::Facts facts, std::string origin);

}  // namespace fabric::fleet
