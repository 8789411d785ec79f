// SPDX-License-Identifier: Apache-2.0
#include "inventory/capability.hpp"

#include "base/text.hpp"

#include <optional>

namespace fabric::inventory {

std::uint64_t effectiveCapabilities(std::string_view status) {
    constexpr std::string_view kKey = "CapEff:";
    for (const std::string_view line : split(status, '\n')) {
        if (line.starts_with(kKey)) {
            return parseUnsigned(trimmed(line.substr(kKey.size())), 16).value_or(0);
        }
    }
    return 0;
}

std::uint64_t effectiveCapabilities(const host::FileReader& files) {
    const auto status = files.read("/proc/self/status");
    return status ? effectiveCapabilities(std::string_view(*status)) : 0;
}

}  // namespace fabric::inventory
