// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"
#include "profile/load.hpp"

#include <optional>
#include <string>

namespace fabric::profile {

inline constexpr unsigned kMaxExtends = 8;  // files below the first

// A profile and everything that it extends, merged.
struct Chain {
    std::optional<TreeNode> merged;  // empty: some file gave no tree
    ProfileErrors errors;
    bool nameRefused = false;  // a name was given, and was an error
    std::vector<std::string> warnings;
};

[[nodiscard]] Chain readChain(const SourceText& first,
                              const std::string& file,
                              const SourceReader& source);

}  // namespace fabric::profile
