// SPDX-License-Identifier: Apache-2.0
#include "resource/service/limit_text.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <limits>

namespace fabric::resource::service {

namespace {

// How many powers of 1024 a suffix stands for.
std::optional<unsigned> powerOf(std::string_view suffix) {
    constexpr std::string_view kSuffixes = "KMGTPE";
    if (suffix.empty() || suffix == "B") {
        return 0;
    }
    const std::size_t at = kSuffixes.find(suffix.front());
    return suffix.size() == 1 && at != std::string_view::npos
               ? std::optional(static_cast<unsigned>(at) + 1)
               : std::nullopt;
}

std::optional<std::uint64_t> parseBytes(std::string_view text) {
    if (text == "infinity") {
        return host::kNoLimit;
    }
    const std::size_t digits =
        std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = parseUnsigned(text.substr(0, digits));
    const auto power = powerOf(trimmed(text.substr(digits)));
    if (!number || !power) {
        return std::nullopt;
    }
    constexpr unsigned kBits = 10;
    const unsigned shift = kBits * *power;
    if (*number > (std::numeric_limits<std::uint64_t>::max() >> shift)) {
        return std::nullopt;
    }
    return *number << shift;
}

}  // namespace

std::optional<host::ResourceLimit> parseLimit(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto soft = parseBytes(text.substr(0, colon));
    const auto hard =
        colon == std::string_view::npos ? soft : parseBytes(text.substr(colon + 1));
    if (!soft || !hard || *soft > *hard) {
        return std::nullopt;
    }
    return host::ResourceLimit{.soft = *soft, .hard = *hard};
}

}  // namespace fabric::resource::service
