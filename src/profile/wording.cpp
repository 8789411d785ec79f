// SPDX-License-Identifier: Apache-2.0
#include "profile/wording.hpp"

#include "base/text.hpp"

namespace fabric::profile {

std::string cited(std::string_view text) {
    constexpr std::size_t kLongest = 60;
    if (text.size() <= kLongest) {
        return "`" + escapeForTerminal(text) + "`";
    }
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;  // not inside a UTF-8 character
    }
    return "`" + escapeForTerminal(text.substr(0, end)) + "…`";
}

std::string anyOf(std::span<const std::string> words) {
    std::string list;
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (at > 0) {
            list += at + 1 == words.size() ? " or " : ", ";
        }
        list += words[at];
    }
    return list;
}

}  // namespace fabric::profile
