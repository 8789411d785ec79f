// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::host {

// One line that a service wrote.
struct ServiceLine {
    std::string message;
    std::uint64_t monotonicUs = 0;  // when, by CLOCK_MONOTONIC
    bool operator==(const ServiceLine&) const = default;
};

struct ServiceLines {
    std::vector<ServiceLine> lines;  // oldest first
    std::string gap;                 // what could not be searched, "" nothing
};

// What services of a running host write. No file of facts holds it, so no host::Reader
// has one.
class ServiceLog {
  public:
    virtual ~ServiceLog() = default;
    // What `unit` itself wrote in this boot since `sinceUs` (CLOCK_MONOTONIC) and
    // contains one of `words`. Bounded in entries, bytes and time: the begin and the
    // end are searched then, and `gap` says so. No journal to read is
    // ErrorKind::notFound; one that this user may not read ErrorKind::permission.
    [[nodiscard]] virtual Result<ServiceLines> lines(
        std::string_view unit,
        std::uint64_t sinceUs,
        std::span<const std::string_view> words) const = 0;
};

}  // namespace fabric::host
