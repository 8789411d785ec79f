// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fabric {

// When a process was started, in clock ticks since the boot: field 22 of the text of
// /proc/PID/stat (proc(5)), which tells it from a later one of its number. Empty: no
// such text, or a process that ended and was not waited for.
[[nodiscard]] std::optional<std::uint64_t> startOfProcess(std::string_view stat);

}  // namespace fabric
