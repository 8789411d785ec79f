// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fabric {

// Text from outside (interface names, file contents, kernel strings) made safe to
// print: control bytes, DEL, invalid UTF-8 and invisible marks that turn the direction
// of writing become \xNN.
[[nodiscard]] std::string escapeForTerminal(std::string_view text);

// Bytes of the multi-byte UTF-8 character that starts at `text[at]`; 0 when none does
// (ASCII, C1 control characters, overlong forms, surrogates, cut off).
[[nodiscard]] std::size_t utf8Length(std::string_view text, std::size_t at);

// Shell glob on a whole string: `*`, `?` and `[set]`, nothing else; `*` also matches an
// empty run. No path meaning is given to `/`.
[[nodiscard]] bool globMatches(std::string_view pattern, std::string_view text);

// The candidate nearest to `word` by edit distance, when it is near enough to be a
// likely slip of the finger (one edit, or a third of the word rounded up).
[[nodiscard]] std::optional<std::string> nearestWord(
    std::string_view word, std::span<const std::string> candidates);

// The same with at most so many edits.
[[nodiscard]] std::optional<std::string> nearestWord(
    std::string_view word,
    std::span<const std::string> candidates,
    std::size_t allowed);

// `text` without leading and trailing ASCII white space.
[[nodiscard]] std::string_view trimmed(std::string_view text);

// The pieces of `text` between `separator`, empty ones kept.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text,
                                                  char separator);

// Unsigned number in base 10 or 16 (no sign, no prefix, nothing left over).
[[nodiscard]] std::optional<unsigned long long> parseUnsigned(std::string_view text,
                                                              int base = 10);

}  // namespace fabric
