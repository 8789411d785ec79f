// SPDX-License-Identifier: Apache-2.0
#include "profile/wording.hpp"

#include "base/text.hpp"

namespace fabric::profile {

std::string cited(std::string_view text) {
    constexpr std::size_t kLongest = 60;
    const bool cut = text.size() > kLongest;
    std::string shown = "`" + escapeForTerminal(text.substr(0, kLongest));
    return shown + (cut ? "…`" : "`");
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
