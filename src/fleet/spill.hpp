// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace fabric::fleet {

// Where reduced records wait for the second pass: written once from begin to end, then
// read once.
class Spill {
  public:
    virtual ~Spill() = default;

    [[nodiscard]] virtual Result<void> append(std::string_view record) = 0;
    // From writing to reading, at the first record.
    [[nodiscard]] virtual Result<void> rewind() = 0;
    // The next record as it was given. An error when there is none.
    [[nodiscard]] virtual Result<std::string> next() = 0;
};

}  // namespace fabric::fleet
