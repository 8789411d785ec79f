// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"

#include <cstdint>
#include <string_view>

namespace fabric::inventory {

// CapEff of the text of /proc/self/status (proc(5)); 0 when it does not tell.
[[nodiscard]] std::uint64_t effectiveCapabilities(std::string_view status);
// Those of this process.
[[nodiscard]] std::uint64_t effectiveCapabilities(const host::FileReader& files);

}  // namespace fabric::inventory
