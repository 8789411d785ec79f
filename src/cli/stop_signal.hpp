// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace fabric::cli {

// Holds SIGINT and SIGTERM back from now on: a write under way is finished, waits end,
// and the run reports what was not attempted. The waits (ppoll) let them in.
void holdStopSignals();

// The signal that came since then: "SIGINT" or "SIGTERM".
[[nodiscard]] std::optional<std::string> stopSignal();

}  // namespace fabric::cli
