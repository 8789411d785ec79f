// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fabric::snapshot {

// RFC 4648, section 4, with padding.
[[nodiscard]] std::string toBase64(std::string_view bytes);
// std::nullopt when it is not exactly that.
[[nodiscard]] std::optional<std::string> fromBase64(std::string_view text);

}  // namespace fabric::snapshot
