// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

// The profile language as text, all made from the table of keys (keys.hpp).
namespace fabric::profile {

// JSON Schema, draft 2020-12, indented. It knows types, ranges and words; what several
// keys mean together, the ranges of amounts and duplicate keys only the reader knows.
[[nodiscard]] std::string jsonSchema();

// Meaning, values, default, what it touches and disturbs, and sub-keys of one key, at
// most 80 columns. An unknown key is ErrorKind::notFound with the nearest as advice.
[[nodiscard]] Result<std::string> explain(std::string_view key);

// One line per key: path and meaning.
[[nodiscard]] std::string explainAll();

// Every key in table order, for completion; what `overrides` repeats is left out.
[[nodiscard]] std::vector<std::string> keyPaths();

}  // namespace fabric::profile
