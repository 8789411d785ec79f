// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fleet/spill.hpp"

#include <string>
#include <vector>

namespace fabric::fleet {

// A spill that keeps its records in memory.
class MemorySpill : public Spill {
  public:
    Result<void> append(std::string_view record) override {
        records.emplace_back(record);
        return {};
    }

    Result<void> rewind() override {
        at_ = 0;
        return {};
    }

    Result<std::string> next() override {
        if (at_ == records.size()) {
            return fail(systemError("read", "the spill", 5));
        }
        return records[at_++];
    }

    std::vector<std::string> records;

  private:
    std::size_t at_ = 0;
};

}  // namespace fabric::fleet
