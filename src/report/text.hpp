// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"

#include <string>

namespace fabric::report {

struct TextOptions {
    bool color = false;
    bool verbose = false;  // also every property that is as wanted
    bool explain = false;  // the rule behind each difference
    bool quiet = false;    // only what is wrong
};

// For a person in a hurry, on 80 columns. What is fine is folded to one line per rail;
// what is wrong is shown with wanted, found, why and the next command. Foreign text is
// escaped.
[[nodiscard]] std::string toText(const engine::Report& report,
                                 const TextOptions& options);

}  // namespace fabric::report
