// SPDX-License-Identifier: Apache-2.0
#include "base/shell_word.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace fabric {

std::string shellWord(std::string_view text) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/:=@%+,";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
        return std::string(text);
    }
    const bool printable = escapeForTerminal(text) == text;
    std::string word = printable ? "'" : "$'";
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        if (printable) {
            word += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
        } else if (byte == '\'' || byte == '\\' || value < 0x20 || value >= 0x7f) {
            word += fmt::format("\\x{:02x}", value);
        } else {
            word += byte;
        }
    }
    return word + "'";
}

}  // namespace fabric
