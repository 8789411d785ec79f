// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"
#include "profile/keys.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fabric::profile {

// What an unquoted YAML 1.2 scalar stands for (core schema).
enum class ScalarKind { text, boolean, integer, real };
[[nodiscard]] ScalarKind kindOfScalar(const TreeNode& scalar);

struct Complaint {
    std::string message;
    std::string suggestion;
};

// What is wrong with a scalar as a value of this type; empty when nothing is.
[[nodiscard]] std::optional<Complaint> judge(const ValueType& type,
                                             const TreeNode& scalar);

// "a priority (0 to 7)", "dscp, pcp or keep", "a size such as 256KiB".
[[nodiscard]] std::string describe(const ValueType& type);

// A decimal number as a profile writes it: no sign but -, no leading zero. Numbers
// beyond 63 bits come back as the nearest that fits.
[[nodiscard]] std::optional<std::int64_t> parseNumber(std::string_view text);

// on, off, true, false.
[[nodiscard]] std::optional<bool> parseSwitch(std::string_view text);

}  // namespace fabric::profile
