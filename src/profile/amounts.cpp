// SPDX-License-Identifier: Apache-2.0
#include "profile/amounts.hpp"

#include "base/text.hpp"
#include "profile/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

namespace fabric::profile {

namespace {

struct Unit {
    std::string_view name;
    std::int64_t factor;     // in the unit of the form
    std::string_view slips;  // lower-case spellings that people write instead
};

constexpr std::int64_t kKibi = 1024;
constexpr std::int64_t kKilo = 1000;

constexpr std::array kSizes{
    Unit{"B", 1, "||b|byte|bytes|"},
    Unit{"KiB", kKibi, "|k|ki|kib|"},
    Unit{"MiB", kKibi* kKibi, "|m|mi|mib|"},
    Unit{"GiB", kKibi* kKibi* kKibi, "|g|gi|gib|"},
    Unit{"TiB", kKibi* kKibi* kKibi* kKibi, "|t|ti|tib|"},
    Unit{"kB", kKilo, "|kb|"},
    Unit{"MB", kKilo* kKilo, "|mb|"},
    Unit{"GB", kKilo* kKilo* kKilo, "|gb|"},
    Unit{"TB", kKilo* kKilo* kKilo* kKilo, "|tb|"},
};
constexpr std::array kRates{
    Unit{"kbit", 1, "|k|kb|kbps|kb/s|kbit/s|"},
    Unit{"Mbit", kKilo, "|m|mb|mbps|mb/s|mbit/s|mbit|"},
    Unit{"Gbit", kKilo* kKilo, "|g|gb|gbps|gb/s|gbit/s|gbit|gbe|"},
    Unit{"Tbit", kKilo* kKilo* kKilo, "|t|tb|tbps|tb/s|tbit/s|tbit|"},
};
constexpr std::array kLengths{
    Unit{"m", 1, "||meter|meters|metre|metres|mtr|"},
};
constexpr std::array kDurations{
    Unit{"ms", 1, "|msec|millisecond|milliseconds|"},
    Unit{"s", kKilo, "||sec|secs|second|seconds|"},
    Unit{"min", 60 * kKilo, "|m|mins|minute|minutes|"},
    Unit{"h", 3600 * kKilo, "|hr|hour|hours|"},
};

std::span<const Unit> unitsOf(Form form) {
    switch (form) {
        case Form::size:
            return kSizes;
        case Form::rate:
            return kRates;
        case Form::length:
            return kLengths;
        case Form::duration:
            return kDurations;
        default:
            return {};
    }
}

// Only rates have a fraction: 2.5Gbit is a link speed, half a byte is nothing.
bool hasFraction(Form form) {
    return form == Form::rate;
}

struct Split {
    std::string_view whole;
    std::string_view fraction;  // digits after the point
    std::string_view unit;
};

std::string_view digitsAt(std::string_view text) {
    return text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
}

std::optional<Split> splitAmount(Form form, std::string_view text) {
    Split parts;
    parts.whole = digitsAt(text);
    text.remove_prefix(parts.whole.size());
    if (hasFraction(form) && text.starts_with('.')) {
        parts.fraction = digitsAt(text.substr(1));
        text.remove_prefix(1 + parts.fraction.size());
        if (parts.fraction.empty()) {
            return std::nullopt;
        }
    }
    parts.unit = text;
    const bool padded = parts.whole.size() > 1 && parts.whole.starts_with('0');
    if (parts.whole.empty() || padded) {
        return std::nullopt;
    }
    return parts;
}

// whole.fraction * factor, when that is a whole number in 63 bits.
std::optional<std::int64_t> scaled(const Split& parts, std::int64_t factor) {
    constexpr std::size_t kMostFractionDigits = 9;
    const auto whole = parseUnsigned(parts.whole);
    const auto limit =
        static_cast<unsigned long long>(std::numeric_limits<std::int64_t>::max());
    const auto unit = static_cast<unsigned long long>(factor);
    if (!whole || *whole > limit / unit ||
        parts.fraction.size() > kMostFractionDigits) {
        return std::nullopt;
    }
    unsigned long long amount = *whole * unit;
    if (!parts.fraction.empty()) {
        unsigned long long power = 1;
        for (std::size_t digit = 0; digit < parts.fraction.size(); ++digit) {
            power *= 10;
        }
        const unsigned long long portion =
            parseUnsigned(parts.fraction).value_or(0) * unit;
        if (portion % power != 0 || portion / power > limit - amount) {
            return std::nullopt;
        }
        amount += portion / power;
    }
    return static_cast<std::int64_t>(amount);
}

std::string lowered(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char character) {
        return character >= 'A' && character <= 'Z'
                   ? static_cast<char>(character - 'A' + 'a')
                   : character;
    });
    return lower;
}

}  // namespace

std::optional<std::int64_t> parseAmount(Form form, std::string_view text) {
    if (text == "0") {
        return 0;
    }
    const auto parts = splitAmount(form, text);
    if (!parts) {
        return std::nullopt;
    }
    const auto units = unitsOf(form);
    const auto unit = std::ranges::find(units, parts->unit, &Unit::name);
    return unit == units.end() ? std::nullopt : scaled(*parts, unit->factor);
}

std::string amountText(Form form, std::int64_t amount) {
    const auto units = unitsOf(form);
    const Unit* best = &units.front();
    for (const Unit& unit : units) {
        if (amount % unit.factor == 0 && unit.factor > best->factor && amount != 0) {
            best = &unit;
        }
    }
    return fmt::format("{}{}", amount / best->factor, best->name);
}

std::string repairedAmount(Form form, std::string_view text) {
    std::string packed;
    std::ranges::copy_if(text, std::back_inserter(packed), [](char character) {
        return character != ' ' && character != '_' && character != ',';
    });
    const auto parts = splitAmount(form, packed);
    if (!parts) {
        return {};
    }
    const std::string wanted = "|" + lowered(parts->unit) + "|";
    for (const Unit& unit : unitsOf(form)) {
        const bool meant =
            unit.slips.contains(wanted) || "|" + lowered(unit.name) + "|" == wanted;
        if (meant && scaled(*parts, unit.factor)) {
            return packed.substr(0, packed.size() - parts->unit.size()) +
                   std::string(unit.name);
        }
    }
    return {};
}

std::string unitNames(Form form) {
    std::vector<std::string> names;
    for (const Unit& unit : unitsOf(form)) {
        names.emplace_back(unit.name);
    }
    return anyOf(names);
}

std::string amountPattern(Form form) {
    std::string units;
    for (const Unit& unit : unitsOf(form)) {
        units += units.empty() ? "" : "|";
        units += unit.name;
    }
    return fmt::format(
        "^(0|[1-9][0-9]*){}({})$", hasFraction(form) ? "(\\.[0-9]{1,9})?" : "", units);
}

}  // namespace fabric::profile
