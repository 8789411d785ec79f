// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::facts {

// Two lower-case digits per byte.
[[nodiscard]] std::string hexOf(std::span<const std::byte> bytes);
// std::nullopt when the text is not exactly that.
[[nodiscard]] std::optional<std::vector<std::byte>> bytesOf(std::string_view hex);

// Any string as JSON can carry it: text that is not UTF-8 (or that would be taken for
// such) becomes "hex:" and its bytes.
[[nodiscard]] std::string portableText(std::string_view text);
// The string again; std::nullopt when what follows "hex:" is not hexadecimal.
[[nodiscard]] std::optional<std::string> fromPortableText(std::string_view text);

}  // namespace fabric::facts
