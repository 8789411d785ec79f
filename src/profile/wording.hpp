// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fabric::profile {

// Text from a profile as messages cite it: in backquotes, escaped, cut when long.
[[nodiscard]] std::string cited(std::string_view text);

// "a", "a or b", "a, b or c".
[[nodiscard]] std::string anyOf(std::span<const std::string> words);

}  // namespace fabric::profile
