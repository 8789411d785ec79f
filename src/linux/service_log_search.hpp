// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/service_log.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace fabric::linux_host {

// What one unit wrote, entry by entry, from the first of those that are searched.
class LineSource {
  public:
    virtual ~LineSource() = default;
    // Empty: there is no further one.
    [[nodiscard]] virtual Result<std::optional<host::ServiceLine>> next() = 0;
    // Behind the newest one.
    [[nodiscard]] virtual Result<void> toEnd() = 0;
    [[nodiscard]] virtual Result<std::optional<host::ServiceLine>> previous() = 0;
};

// For each end of what is searched.
struct SearchBounds {
    std::size_t entries = 20'000;
    std::size_t lines = 100;  // that are kept
    std::chrono::milliseconds time{1000};
};

// The lines since `sinceUs` that contain one of `words`: all of them, or those of the
// begin and of the end when there is more than `bounds` allow.
[[nodiscard]] Result<host::ServiceLines> searchLines(
    LineSource& source,
    std::uint64_t sinceUs,
    std::span<const std::string_view> words,
    const SearchBounds& bounds);

}  // namespace fabric::linux_host
