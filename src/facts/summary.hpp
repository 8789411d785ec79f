// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/facts.hpp"

#include <string>

namespace fabric::facts {

// Whether everything that was asked could be read.
[[nodiscard]] bool allRead(const Facts& facts);

// A few lines for a person: what was taken, and what could not be read.
[[nodiscard]] std::string summaryOf(const Facts& facts);

}  // namespace fabric::facts
