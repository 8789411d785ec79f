// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fabric::profile {

inline constexpr std::size_t kMaxProfileBytes = std::size_t{1} << 20U;
// Deeper nesting than any profile needs; bounds every recursion over the tree.
inline constexpr std::size_t kMaxDepth = 16;
// Nodes, plus one per 64 bytes of text, with aliases expanded.
inline constexpr std::size_t kMaxWeight = 200'000;

// The tree of one YAML 1.2 document of at most kMaxProfileBytes. Errors: not UTF-8,
// control bytes, YAML syntax, a second document, a duplicate key, a key that is not
// text, a tag, too deep, too many aliases. Duplicate keys are all listed; a syntax
// error ends the list. The root is a map.
[[nodiscard]] ProfileResult<Node> readYaml(std::string_view text,
                                           const std::string& file);

}  // namespace fabric::profile
