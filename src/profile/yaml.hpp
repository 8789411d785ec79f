// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fabric::profile {

inline constexpr std::size_t kMaxProfileBytes = std::size_t{1} << 20U;
// Deeper nesting than any profile needs; bounds every recursion over the tree.
inline constexpr std::size_t kMaxDepth = 16;
// Nodes, plus one per 64 bytes of text, with aliases expanded.
inline constexpr std::size_t kMaxWeight = 200'000;

struct YamlTree {
    std::optional<TreeNode> root;  // a map; empty when the text gives none
    ProfileErrors errors;
};

// The tree of one YAML 1.2 document of at most kMaxProfileBytes. Errors without a tree:
// not UTF-8, control bytes, YAML syntax, a second document, a key that is not text, a
// tag, too deep, too many aliases, no map. Duplicate keys are errors beside the tree,
// which holds the first of each.
[[nodiscard]] YamlTree readYaml(std::string_view text, const std::string& file);

}  // namespace fabric::profile
