// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/facts.hpp"

#include <string>
#include <vector>

namespace fabric::facts {

// "pci 0000:00:01.0: EPERM ...; run as root": one line per part that could not be read.
[[nodiscard]] std::vector<std::string> unreadableParts(const Facts& facts);

// A few lines for a person: what was taken, and what could not be read.
[[nodiscard]] std::string summaryOf(const Facts& facts);

}  // namespace fabric::facts
