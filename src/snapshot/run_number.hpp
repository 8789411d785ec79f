// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fabric::snapshot {

// The number of the run in a snapshot's id: it counts up whatever the clock does.
[[nodiscard]] std::optional<std::uint64_t> runNumber(std::string_view id);

}  // namespace fabric::snapshot
