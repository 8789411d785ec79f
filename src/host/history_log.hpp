// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <string_view>

namespace fabric::host {

// The history of changes, for appending only. Lines that were added stay as they are.
class HistoryLog {
  public:
    virtual ~HistoryLog() = default;
    // Adds one line as a whole, or nothing of it. `line` has no line end of its own.
    [[nodiscard]] virtual Result<void> append(std::string_view line) = 0;
    // Returns when everything that was added is on the disk.
    [[nodiscard]] virtual Result<void> sync() = 0;
};

}  // namespace fabric::host
