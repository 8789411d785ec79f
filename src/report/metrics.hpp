// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/boot.hpp"
#include "engine/report.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fabric::report {

// A text file for the textfile collector of Prometheus' node_exporter. `previous` is
// the file as it was: only the time of the last success is taken from it. `boot` is the
// record of this boot's apply, when there is one. Pure.
[[nodiscard]] std::string toMetrics(const engine::Report& report,
                                    const std::optional<engine::BootRecord>& boot,
                                    std::string_view previous);

}  // namespace fabric::report
