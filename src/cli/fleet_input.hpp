// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fleet/comparison.hpp"

#include <functional>
#include <string>
#include <vector>

namespace fabric::cli {

// Told after each document: how many there were.
using Progress = std::function<void(std::size_t)>;

// Gives the facts in files, directories and standard input ("-") to a comparison. What
// cannot be read becomes an unusable document of it; an error here ends the run.
// `profile`: that of fleet::reduce.
[[nodiscard]] Result<void> readFleet(const std::vector<std::string>& paths,
                                     const profile::Profile* profile,
                                     fleet::Comparison& comparison,
                                     const Progress& progress);

}  // namespace fabric::cli
