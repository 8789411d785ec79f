// SPDX-License-Identifier: Apache-2.0
#include "switch/nvue_numbers.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace fabric::switches {

namespace {

constexpr unsigned kNumbers = 64;

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                              : letter;
    });
    return lower;
}

std::optional<unsigned> numberOf(std::string_view text) {
    const auto number = parseUnsigned(trimmed(text));
    return number && *number < kNumbers ? std::optional(static_cast<unsigned>(*number))
                                        : std::nullopt;
}

// The row of a table by one of its columns: rows have `list` and a number `of`.
std::optional<unsigned> lookUp(const NvueValues& values,
                               std::string_view table,
                               std::string_view list,
                               std::string_view of,
                               unsigned wanted) {
    std::set<unsigned> found;
    const std::string prefix = std::string(table) + "/";
    for (auto at = values.lower_bound(prefix);
         at != values.end() && at->first.starts_with(prefix);
         ++at) {
        const std::size_t slash = at->first.rfind('/');
        if (at->first.substr(slash + 1) != list ||
            !numbersOf(at->second).contains(wanted)) {
            continue;
        }
        const auto number =
            values.find(at->first.substr(0, slash + 1) + std::string(of));
        const auto value =
            number == values.end() ? std::nullopt : numberOf(number->second);
        if (value) {
            found.insert(*value);
        }
    }
    return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

}  // namespace

bool isOn(std::string_view text) {
    constexpr std::array<std::string_view, 5> kWords{
        "enabled", "enable", "on", "yes", "true"};
    return std::ranges::find(kWords, lowerCase(trimmed(text))) != kWords.end();
}

bool hasWord(std::string_view text, std::string_view word) {
    const std::string lower = lowerCase(text);
    return std::ranges::any_of(split(lower, ','), [&](std::string_view part) {
        return trimmed(part) == word;
    });
}

std::set<unsigned> numbersOf(std::string_view text) {
    std::set<unsigned> numbers;
    for (const std::string_view part : split(text, ',')) {
        const std::size_t dash = part.find('-');
        const auto first = numberOf(part.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : numberOf(part.substr(dash + 1));
        for (unsigned number = first.value_or(1); first && last && number <= *last;
             ++number) {
            numbers.insert(number);
        }
    }
    return numbers;
}

bool isSize(std::string_view text, std::uint64_t bytes) {
    constexpr std::array<std::pair<std::string_view, double>, 9> kUnits{
        {{"", 1},
         {"b", 1},
         {"bytes", 1},
         {"kb", 1024},
         {"kib", 1024},
         {"mb", 1048576},
         {"mib", 1048576},
         {"gb", 1073741824},
         {"gib", 1073741824}}};
    constexpr double kHalf = 0.5;
    constexpr double kTen = 10;
    const std::string lower = lowerCase(trimmed(text));
    const std::size_t digits = lower.find_first_not_of("0123456789.");
    const std::string number = lower.substr(0, digits);
    const std::string_view unit = digits == std::string::npos
                                      ? std::string_view()
                                      : trimmed(std::string_view(lower).substr(digits));
    const auto* const known =
        std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
    double value = 0;
    const auto parsed =
        std::from_chars(number.data(), number.data() + number.size(), value);
    if (known == kUnits.end() || parsed.ec != std::errc() ||
        parsed.ptr != number.data() + number.size()) {
        return false;
    }
    // Half of the last digit that was printed.
    const std::size_t point = number.find('.');
    const std::size_t places =
        point == std::string::npos ? 0 : number.size() - point - 1;
    const double within =
        known->second == 1
            ? 0
            : known->second * kHalf * std::pow(kTen, -static_cast<double>(places));
    return std::abs(value * known->second - static_cast<double>(bytes)) <= within;
}

std::optional<unsigned> switchPriorityOf(const NvueValues& values, unsigned dscp) {
    return lookUp(values, "prio-map", "dscp", "switch-prio", dscp);
}

std::optional<unsigned> trafficClassOf(const NvueValues& values, unsigned priority) {
    return lookUp(values, "tc-map", "switch-prio", "traffic-class", priority);
}

}  // namespace fabric::switches
