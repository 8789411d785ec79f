// SPDX-License-Identifier: Apache-2.0
#include "base/process_stat.hpp"

#include "base/text.hpp"

#include <string>

namespace fabric {

std::optional<std::uint64_t> startOfProcess(std::string_view stat) {
    constexpr std::size_t kAfterName = 19;  // fields from the state to the start
    // The name before it may hold spaces and parentheses.
    const std::size_t name = stat.rfind(") ");
    if (name == std::string_view::npos) {
        return std::nullopt;
    }
    const auto fields = split(stat.substr(name + 2), ' ');
    if (fields.size() <= kAfterName || fields.front() == "Z") {
        return std::nullopt;
    }
    return parseUnsigned(fields[kAfterName]);
}

}  // namespace fabric
