// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/finding.hpp"

#include <cstddef>
#include <string>

namespace fabric::resource::neighbour {

// Entries of one sort, counted, with the first few as text.
class EntryList {
  public:
    void add(const std::string& entry) {
        if (count_ < kShown) {
            text_ += (text_.empty() ? "" : "; ") + entry;
        }
        ++count_;
    }

    [[nodiscard]] bool empty() const { return count_ == 0; }

    [[nodiscard]] std::size_t count() const { return count_; }

    // "a; b; and 12 more"
    [[nodiscard]] std::string text() const {
        return count_ > kShown
                   ? text_ + "; and " + std::to_string(count_ - kShown) + " more"
                   : text_;
    }

  private:
    static constexpr std::size_t kShown = 10;

    std::size_t count_ = 0;
    std::string text_;
};

}  // namespace fabric::resource::neighbour
