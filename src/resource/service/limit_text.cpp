// SPDX-License-Identifier: Apache-2.0
#include "resource/service/limit_text.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <limits>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kSpaces = " \t\n\r";
// Largest first: with several amounts each unit has to be smaller than the one before.
constexpr std::string_view kUnits = "EPTGMKB";
constexpr unsigned kBits = 10;
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::string_view takeDigits(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view digits = text.substr(0, end);
    text.remove_prefix(end);
    return digits;
}

void skipSpaces(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
}

// The digits after a point, if one is there: "10.M" is 10M. std::nullopt when they are
// more than a number holds.
std::optional<double> takeFraction(std::string_view& text) {
    if (!text.starts_with('.')) {
        return 0;
    }
    text.remove_prefix(1);
    const std::string_view digits = takeDigits(text);
    if (digits.empty()) {
        return 0;
    }
    const auto number = parseUnsigned(digits);
    if (!number) {
        return std::nullopt;
    }
    auto fraction = static_cast<double>(*number);
    for (std::size_t digit = 0; digit < digits.size(); ++digit) {
        fraction /= 10;
    }
    return fraction;
}

// The position of the unit in kUnits, none being a byte; only those from `first` on.
std::optional<std::size_t> takeUnit(std::string_view& text, std::size_t first) {
    const std::size_t at =
        text.empty() ? std::string_view::npos : kUnits.find(text.front(), first);
    if (at != std::string_view::npos) {
        text.remove_prefix(1);
        return at;
    }
    return first <= kUnits.size() ? std::optional(kUnits.size()) : std::nullopt;
}

// Bytes of a unit; both "B" and no unit are one.
unsigned shiftOf(std::size_t unit) {
    const std::size_t bytes = kUnits.size() - 1;
    return unit >= bytes ? 0 : kBits * static_cast<unsigned>(bytes - unit);
}

// One amount such as "1.5G", taken from the front; `first` becomes the next unit.
std::optional<std::uint64_t> takeAmount(std::string_view& text, std::size_t& first) {
    skipSpaces(text);
    const auto whole = parseUnsigned(takeDigits(text));
    const auto fraction = whole ? takeFraction(text) : std::nullopt;
    skipSpaces(text);
    const auto unit = fraction ? takeUnit(text, first) : std::nullopt;
    if (!unit) {
        return std::nullopt;
    }
    first = *unit + 1;
    const unsigned shift = shiftOf(*unit);
    if (*whole > (kMost >> shift) - (*fraction > 0 ? 1 : 0)) {
        return std::nullopt;
    }
    const auto factor = static_cast<double>(std::uint64_t{1} << shift);
    return (*whole << shift) + static_cast<std::uint64_t>(*fraction * factor);
}

std::optional<std::uint64_t> parseBytes(std::string_view text) {
    if (text == "infinity") {
        return host::kNoLimit;
    }
    std::uint64_t sum = 0;
    std::size_t first = 0;
    do {
        const auto amount = takeAmount(text, first);
        if (!amount || *amount > kMost - sum) {
            return std::nullopt;
        }
        sum += *amount;
    } while (!text.empty());
    return sum == host::kNoLimit ? std::nullopt : std::optional(sum);
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
