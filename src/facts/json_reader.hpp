// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace fabric::facts {

// Why a text is not what it must be, and where: "line 3, column 7" or the JSON pointer
// (RFC 6901) of the value, "" for the whole document.
struct JsonProblem {
    std::string place;
    std::string what;
};

// What a document may cost at most. The defaults hold the facts of a host with two
// thousand PCI functions and a hundred thousand neighbours.
struct JsonBounds {
    std::size_t bytes = std::size_t{64} << 20U;
    std::size_t depth = 32;
    std::size_t values = 4'000'000;
    // Members that are read past: checked as JSON, counted, and left out of the tree.
    // Asked with the names that lead to one, outermost first; nullptr: none.
    bool (*leavesOut)(std::span<const std::string_view> path) = nullptr;
};

// Reads one JSON document (RFC 8259) from text that nobody vouches for. Memory grows
// with the text, recursion is bounded by `depth`. Duplicate members, numbers that a
// 64-bit integer or a double does not hold, text that is not UTF-8 and anything after
// the document are refused.
[[nodiscard]] std::expected<Value, JsonProblem> readJson(std::string_view text,
                                                         const JsonBounds& bounds = {});

// A member's name as a part of a JSON pointer.
[[nodiscard]] std::string pointerStep(std::string_view name);

}  // namespace fabric::facts
