// SPDX-License-Identifier: Apache-2.0
#include "profile/values.hpp"

#include "base/text.hpp"
#include "profile/amounts.hpp"
#include "profile/server_variables.hpp"
#include "profile/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

namespace fabric::profile {

namespace {

constexpr std::size_t kLongestGuess = 64;  // longer words are no slip of the finger

constexpr std::array<std::string_view, 6> kBooleans{
    "true", "True", "TRUE", "false", "False", "FALSE"};

bool isTrue(std::string_view text) {
    return text == "true" || text == "True" || text == "TRUE";
}

bool allDigits(std::string_view text, std::string_view digits) {
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

bool isInteger(std::string_view text) {
    if (text.starts_with("0x")) {
        return allDigits(text.substr(2), "0123456789abcdefABCDEF");
    }
    if (text.starts_with("0o")) {
        return allDigits(text.substr(2), "01234567");
    }
    if (text.starts_with('-') || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    return allDigits(text, "0123456789");
}

std::string_view withoutDigits(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
    return text;
}

bool isReal(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    if (text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" ||
        text == ".NaN" || text == ".NAN") {
        return true;
    }
    const std::string_view start = text;
    text = withoutDigits(text);
    bool digits = text.size() < start.size();
    if (text.starts_with('.')) {
        const std::string_view fraction = text.substr(1);
        text = withoutDigits(fraction);
        digits = digits || text.size() < fraction.size();
    }
    if (!digits) {
        return false;
    }
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        return isInteger(text) && !text.contains('x') && !text.contains('o');
    }
    return text.empty();
}

std::string_view nameOf(ScalarKind kind) {
    switch (kind) {
        case ScalarKind::boolean:
            return "a boolean";
        case ScalarKind::integer:
        case ScalarKind::real:
            return "a number";
        case ScalarKind::text:
            break;
    }
    return "text";
}

Complaint wrongType(const ValueType& type,
                    const TreeNode& scalar,
                    std::string suggestion) {
    return Complaint{.message = fmt::format("{} is {}; expected {}",
                                            cited(scalar.scalar),
                                            nameOf(kindOfScalar(scalar)),
                                            describe(type)),
                     .suggestion = std::move(suggestion)};
}

Complaint outOfRange(const ValueType& type,
                     const TreeNode& scalar,
                     std::string nearest) {
    return Complaint{
        .message = fmt::format(
            "{} is impossible; expected {}", cited(scalar.scalar), describe(type)),
        .suggestion = std::move(nearest)};
}

// 0x1a, 026, 3.0, +3 as the plain number that was meant; "" when unclear.
std::string plainNumber(std::string_view text) {
    const bool hex = text.starts_with("0x");
    text.remove_prefix(hex ? 2 : text.starts_with('+') ? 1 : 0);
    if (!hex && text.ends_with(".0")) {
        text.remove_suffix(2);
    }
    const auto number = parseUnsigned(text, hex ? 16 : 10);
    return number ? std::to_string(*number) : std::string{};
}

// 90000 for 9000 is a zero too many; anything else leads to the nearest permitted
// value.
std::int64_t likelyMeant(const ValueType& type, std::int64_t amount) {
    const std::int64_t shorter = amount / 10;
    const bool zeroTooMany =
        amount % 1000 == 0 && shorter >= type.min && shorter <= type.max;
    return zeroTooMany ? shorter : std::clamp(amount, type.min, type.max);
}

std::optional<Complaint> judgeNumber(const ValueType& type, const TreeNode& scalar) {
    const auto number = parseNumber(scalar.scalar);
    if (!number) {
        return wrongType(type, scalar, plainNumber(trimmed(scalar.scalar)));
    }
    if (scalar.quoted) {
        return wrongType(type, scalar, std::to_string(*number));
    }
    if (*number < type.min || *number > type.max) {
        return outOfRange(type, scalar, std::to_string(likelyMeant(type, *number)));
    }
    return std::nullopt;
}

std::optional<Complaint> judgeFlag(const ValueType& type, const TreeNode& scalar) {
    if (!scalar.quoted && kindOfScalar(scalar) == ScalarKind::boolean) {
        return std::nullopt;
    }
    const std::string& text = scalar.scalar;
    const bool positive = text == "on" || text == "yes" || text == "1" || isTrue(text);
    const bool negative =
        text == "off" || text == "no" || text == "0" || text == "false";
    return wrongType(type, scalar, positive ? "true" : negative ? "false" : "");
}

std::optional<Complaint> judgeSwitch(const ValueType& type, const TreeNode& scalar) {
    const bool text = kindOfScalar(scalar) == ScalarKind::text;
    const bool word = scalar.scalar == "on" || scalar.scalar == "off";
    if (text ? word : kindOfScalar(scalar) == ScalarKind::boolean) {
        return std::nullopt;
    }
    const std::string& written = scalar.scalar;
    const bool positive = written == "yes" || written == "1" || isTrue(written);
    const bool negative = written == "no" || written == "0" || written == "false";
    return wrongType(type, scalar, positive ? "on" : negative ? "off" : "");
}

// The nearest number for a number, else the nearest word.
std::string nearestChoice(const std::vector<std::string>& words,
                          const std::string& written) {
    const auto wanted = parseNumber(written);
    std::optional<std::int64_t> best;
    for (const std::string& word : words) {
        const auto number = parseNumber(word);
        const auto distance = [&](std::int64_t value) {
            return value > *wanted ? value - *wanted : *wanted - value;
        };
        if (wanted && number && (!best || distance(*number) < distance(*best))) {
            best = number;
        }
    }
    if (best) {
        return std::to_string(*best);
    }
    return written.size() > kLongestGuess ? std::string{}
                                          : nearestWord(written, words).value_or("");
}

std::optional<Complaint> judgeChoice(const ValueType& type, const TreeNode& scalar) {
    const auto words = wordsOf(type);
    const bool known = std::ranges::find(words, scalar.scalar) != words.end();
    const bool number = parseNumber(scalar.scalar).has_value();
    if (known && number && scalar.quoted) {
        return wrongType(type, scalar, scalar.scalar);
    }
    if (known) {
        return std::nullopt;
    }
    return Complaint{
        .message = fmt::format("{} is not {}", cited(scalar.scalar), describe(type)),
        .suggestion = nearestChoice(words, scalar.scalar)};
}

Complaint environmentBoolean(const TreeNode& scalar) {
    const bool on = isTrue(scalar.scalar);
    return Complaint{
        .message = fmt::format("{} is a boolean; an environment value is text. Writers "
                               "of YAML 1.1 turn an "
                               "unquoted {} into {}: quote the text that is meant",
                               cited(scalar.scalar),
                               on ? "on" : "off",
                               on ? "true" : "false"),
        .suggestion = on ? "\"on\"" : "\"off\""};
}

// The service of that name, also where another type of unit was named; "" none.
std::string nearestUnit(std::string_view text) {
    constexpr std::array<std::string_view, 6> kTypes{
        ".socket", ".target", ".timer", ".path", ".slice", ".service"};
    for (const std::string_view type : kTypes) {
        if (text.ends_with(type)) {
            text.remove_suffix(type.size());
            break;
        }
    }
    const std::string unit = std::string(text) + ".service";
    return !text.empty() && formOf(TextRule::unitName).accepts(unit) ? unit : "";
}

// Our drop-in in a unit of our own would have it run the server, and each run would
// wait for itself.
bool isOwnUnit(std::string_view unit) {
    constexpr std::array<std::string_view, 3> kUnits{
        "fabricctl.service", "fabricctl-early.service", "fabricctl-check.service"};
    constexpr std::array<std::string_view, 3> kFamilies{
        "fabricctl-rail@", "fabricctl-acs@", "fabricctl-confirm-"};
    return std::ranges::find(kUnits, unit) != kUnits.end() ||
           std::ranges::any_of(kFamilies, [&](std::string_view family) {
               return unit.starts_with(family);
           });
}

// A text of the right form that cannot be meant.
std::optional<Complaint> judgeMeaning(TextRule rule, const std::string& text) {
    if (rule == TextRule::unitName && isOwnUnit(text)) {
        return Complaint{.message = cited(text) +
                                    " is a unit of fabricctl itself; name that of the "
                                    "storage server",
                         .suggestion = std::string(findKey("service.unit")->standard)};
    }
    return rule == TextRule::environmentName ? judgeVariableName(text) : std::nullopt;
}

// The path as it would be written; "" when none can be made of it.
std::string plainPath(const std::string& text) {
    std::string plain = std::filesystem::path(text).lexically_normal().string();
    while (plain.size() > 1 && plain.ends_with('/')) {
        plain.pop_back();
    }
    return formOf(TextRule::programPath).accepts(plain) ? plain : "";
}

std::string repairedText(TextRule rule, const std::string& text) {
    switch (rule) {
        case TextRule::unitName:
            return nearestUnit(text);
        case TextRule::programPath:
            return plainPath(text);
        default:
            return {};
    }
}

std::optional<Complaint> judgeText(const ValueType& type, const TreeNode& scalar) {
    const TextRuleForm& form = formOf(type.rule);
    const ScalarKind kind = kindOfScalar(scalar);
    const bool environment = type.rule == TextRule::environmentValue;
    if (environment && kind == ScalarKind::boolean) {
        return environmentBoolean(scalar);
    }
    const bool number = kind == ScalarKind::integer || kind == ScalarKind::real;
    if (kind != ScalarKind::text && !(number && form.takesNumbers)) {
        return wrongType(type, scalar, fmt::format("\"{}\"", scalar.scalar));
    }
    if (scalar.scalar.size() > form.maxBytes) {
        return Complaint{
            .message = fmt::format(
                "{} is longer than {} bytes", cited(scalar.scalar), form.maxBytes),
            .suggestion = {}};
    }
    if (form.accepts(scalar.scalar)) {
        return judgeMeaning(type.rule, scalar.scalar);
    }
    return Complaint{
        .message = fmt::format("{} is not {}", cited(scalar.scalar), form.description),
        .suggestion = repairedText(type.rule, scalar.scalar)};
}

std::optional<Complaint> judgeAmount(const ValueType& type, const TreeNode& scalar) {
    const auto words = wordsOf(type);
    if (std::ranges::find(words, scalar.scalar) != words.end()) {
        return std::nullopt;
    }
    const auto amount = parseAmount(type.form, scalar.scalar);
    if (!amount) {
        std::string repaired = repairedAmount(type.form, scalar.scalar);
        if (repaired.empty() && scalar.scalar.size() <= kLongestGuess) {
            repaired = nearestWord(scalar.scalar, words).value_or("");
        }
        return Complaint{.message = fmt::format(
                             "{} is not {}", cited(scalar.scalar), describe(type)),
                         .suggestion = std::move(repaired)};
    }
    if (*amount < type.min || *amount > type.max) {
        return outOfRange(
            type,
            scalar,
            amountText(type.form, std::clamp(*amount, type.min, type.max)));
    }
    return std::nullopt;
}

std::string describeNumber(const ValueType& type) {
    if (type.min == type.max) {
        return fmt::format("{} {}", type.noun, type.min);
    }
    return fmt::format("{} {} {} {}",
                       type.noun,
                       type.min,
                       type.max == type.min + 1 ? "or" : "to",
                       type.max);
}

std::string describeAmount(const ValueType& type) {
    std::string range;
    if (type.max != std::numeric_limits<std::int64_t>::max()) {
        range = fmt::format("from {} to {} ",
                            amountText(type.form, type.min),
                            amountText(type.form, type.max));
    }
    std::string text =
        fmt::format("a {} {}(a number and {})", type.noun, range, unitNames(type.form));
    for (const std::string& word : wordsOf(type)) {
        text += " or " + word;
    }
    return text;
}

}  // namespace

ScalarKind kindOfScalar(const TreeNode& scalar) {
    if (scalar.quoted) {
        return ScalarKind::text;
    }
    if (std::ranges::find(kBooleans, scalar.scalar) != kBooleans.end()) {
        return ScalarKind::boolean;
    }
    if (isInteger(scalar.scalar)) {
        return ScalarKind::integer;
    }
    return isReal(scalar.scalar) ? ScalarKind::real : ScalarKind::text;
}

std::optional<std::int64_t> parseNumber(std::string_view text) {
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    const bool padded = text.size() > 1 && text.starts_with('0');
    if (!allDigits(text, "0123456789") || padded) {
        return std::nullopt;
    }
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const auto number = parseUnsigned(text);
    const bool fits = number && *number <= static_cast<unsigned long long>(kMost);
    const std::int64_t size = fits ? static_cast<std::int64_t>(*number) : kMost;
    return negative ? -size : size;
}

std::optional<bool> parseSwitch(std::string_view text) {
    if (text == "on" || isTrue(text)) {
        return true;
    }
    if (text == "off" || std::ranges::find(kBooleans, text) != kBooleans.end()) {
        return false;
    }
    return std::nullopt;
}

std::string describe(const ValueType& type) {
    switch (type.form) {
        case Form::flag:
            return "true or false";
        case Form::onOff:
            return "on or off (or true or false)";
        case Form::number:
            return describeNumber(type);
        case Form::choice:
            return anyOf(wordsOf(type));
        case Form::text:
            return std::string(formOf(type.rule).description);
        case Form::size:
        case Form::rate:
        case Form::length:
        case Form::duration:
            return describeAmount(type);
    }
    return {};
}

std::optional<Complaint> judge(const ValueType& type, const TreeNode& scalar) {
    switch (type.form) {
        case Form::flag:
            return judgeFlag(type, scalar);
        case Form::onOff:
            return judgeSwitch(type, scalar);
        case Form::number:
            return judgeNumber(type, scalar);
        case Form::choice:
            return judgeChoice(type, scalar);
        case Form::text:
            return judgeText(type, scalar);
        case Form::size:
        case Form::rate:
        case Form::length:
        case Form::duration:
            return judgeAmount(type, scalar);
    }
    return std::nullopt;
}

}  // namespace fabric::profile
