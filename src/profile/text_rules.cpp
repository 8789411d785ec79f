// SPDX-License-Identifier: Apache-2.0
#include "profile/text_rules.hpp"

#include "base/address.hpp"
#include "base/ip_address.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <string>

namespace fabric::profile {

namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

bool consistsOf(std::string_view text, std::string_view base, std::string_view more) {
    return !text.empty() && std::ranges::all_of(text, [&](char character) {
        return base.contains(character) || more.contains(character);
    });
}

bool hasControl(std::string_view text) {
    return std::ranges::any_of(text, [](char character) {
        const auto byte = static_cast<unsigned char>(character);
        return byte < 0x20 || byte == 0x7F;
    });
}

bool isLine(std::string_view text) {
    return !text.empty() && !hasControl(text);
}

bool isProse(std::string_view text) {
    return std::ranges::none_of(text, [](char character) {
        return static_cast<unsigned char>(character) < 0x20 && character != '\n' &&
               character != '\t';
    });
}

bool isAbsolutePath(std::string_view text) {
    return isLine(text) && text.starts_with('/');
}

// As systemd loads a path and as a process tells it: another spelling of the same would
// never be equal.
bool isProgramPath(std::string_view text) {
    const auto parts = split(text, '/');
    const auto isName = [](std::string_view part) {
        return !part.empty() && part != "." && part != "..";
    };
    return isAbsolutePath(text) &&
           std::ranges::all_of(parts | std::views::drop(1), isName);
}

bool isModuleName(std::string_view text) {
    return consistsOf(text, kNameCharacters, "-");
}

bool isUnitName(std::string_view text) {
    constexpr std::string_view kSuffix = ".service";
    return text.ends_with(kSuffix) && text.size() > kSuffix.size() &&
           consistsOf(text, kNameCharacters, ":.\\@-");
}

bool isGlob(std::string_view text) {
    return isLine(text) && !text.contains(' ') && !text.contains('/');
}

bool isHexGlob(std::string_view text) {
    return consistsOf(text, kHexDigits, "*?[]-");
}

bool isIpAddress(std::string_view text) {
    return IpAddress::parse(text).has_value();
}

bool isMacAddress(std::string_view text) {
    return MacAddress::parse(text).has_value();
}

bool isEnvironmentName(std::string_view text) {
    return consistsOf(text, kNameCharacters, "") && !kDigits.contains(text.front());
}

bool isEnvironmentValue(std::string_view text) {
    return !hasControl(text);
}

constexpr std::array kForms{
    TextRuleForm{TextRule::line,
                 "text on one line",
                 "^[^\\u0000-\\u001f\\u007f]+$",
                 256,
                 isLine,
                 false},
    TextRuleForm{TextRule::prose, "text", "", 4096, isProse, false},
    TextRuleForm{TextRule::path,
                 "a file name, relative to this file or absolute",
                 "^[^\\u0000-\\u001f\\u007f]+$",
                 1024,
                 isLine,
                 false},
    TextRuleForm{TextRule::absolutePath,
                 "an absolute path",
                 "^/[^\\u0000-\\u001f\\u007f]*$",
                 1024,
                 isAbsolutePath,
                 false},
    TextRuleForm{TextRule::programPath,
                 "an absolute path of a file without //, /./ and /../",
                 "^(/(?!\\.{1,2}(/|$))[^/\\u0000-\\u001f\\u007f]+)+$",
                 1024,
                 isProgramPath,
                 false},
    TextRuleForm{TextRule::moduleName,
                 "a kernel module name (letters, digits, _ and -)",
                 "^[A-Za-z0-9_-]+$",
                 64,
                 isModuleName,
                 false},
    TextRuleForm{TextRule::unitName,
                 "a systemd unit name that ends in .service",
                 "^[A-Za-z0-9:_.\\\\@-]+\\.service$",
                 255,
                 isUnitName,
                 false},
    TextRuleForm{TextRule::glob,
                 "a name or glob (*, ?, [set]) without spaces or slashes",
                 "^[^\\u0000-\\u0020\\u007f/]+$",
                 128,
                 isGlob,
                 true},
    TextRuleForm{TextRule::hexGlob,
                 "hexadecimal digits or a glob over them (*, ?, [set])",
                 "^[0-9a-fA-F*?\\[\\]-]+$",
                 32,
                 isHexGlob,
                 true},
    TextRuleForm{TextRule::ipAddress,
                 "an IPv4 or IPv6 address",
                 "^[0-9a-fA-F:.]+$",
                 64,
                 isIpAddress,
                 false},
    TextRuleForm{TextRule::macAddress,
                 "a MAC address such as b8:ce:f6:00:00:01",
                 "^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$",
                 17,
                 isMacAddress,
                 false},
    TextRuleForm{TextRule::environmentName,
                 "an environment name (letters, digits and _, no digit first)",
                 "^[A-Za-z_][A-Za-z0-9_]*$",
                 128,
                 isEnvironmentName,
                 false},
    TextRuleForm{TextRule::environmentValue,
                 "text on one line",
                 "^[^\\u0000-\\u001f\\u007f]*$",
                 1024,
                 isEnvironmentValue,
                 false},
};

}  // namespace

const TextRuleForm& formOf(TextRule rule) {
    const auto* const found = std::ranges::find(kForms, rule, &TextRuleForm::rule);
    return found == kForms.end() ? kForms.front() : *found;
}

}  // namespace fabric::profile
