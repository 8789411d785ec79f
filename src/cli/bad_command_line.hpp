// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fabric::cli {

// What is said about words that CLI11 refused with `what`: which word it is, which verb
// has the option, the nearest right one. `app` is the whole table of verbs.
[[nodiscard]] Ending badWords(const CLI::App& app,
                              const std::vector<std::string>& given,
                              const std::string& what);

// A value, or a combination of options, that cannot be meant.
[[nodiscard]] Ending badValue(const CLI::App& app,
                              const std::vector<std::string>& given,
                              std::string what);

// "--only: there is no kind 'dbc'; did you mean dcb?"
[[nodiscard]] std::string noSuchKind(const std::string& name,
                                     const std::vector<std::string>& kinds);

// Why a run with --metrics cannot be this part of a profile: the file would read as all
// of it. "" when it is the whole. Pure.
[[nodiscard]] std::string partOfMetrics(const engine::RunOptions& run);

// Options that are fine alone and contradict each other; "" when they can be meant
// together. Pure.
[[nodiscard]] std::string contradiction(const Options& options);

}  // namespace fabric::cli
