// SPDX-License-Identifier: Apache-2.0
// Text from anywhere: made safe to print, matched by globs, read as addresses, numbers
// and amounts.
#include "base/address.hpp"
#include "base/ip_address.hpp"
#include "base/value.hpp"
#include "fuzz/property.hpp"
#include "profile/amounts.hpp"
#include "profile/text_rules.hpp"
#include "profile/values.hpp"
#include "profile/wording.hpp"

#include <fnmatch.h>

#include <array>

namespace fabric {
namespace {

using fuzz::require;

bool isControl(char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F;
}

void judgeEscaping(std::string_view text) {
    const std::string escaped = escapeForTerminal(text);
    require(std::ranges::none_of(escaped, isControl), "no control byte is left");
    for (std::size_t at = 0; at < escaped.size();) {
        const bool plain = static_cast<unsigned char>(escaped[at]) < 0x80;
        const std::size_t length = plain ? 1 : utf8Length(escaped, at);
        require(length > 0, "what is left is UTF-8");
        at += length;
    }
    require(escapeForTerminal(escaped) == escaped, "escaped twice is escaped once");
    require(escaped.size() >= text.size(), "nothing is lost");
    fuzz::requirePrintable(Value(text).toText());
    fuzz::requirePrintable(profile::cited(text));
}

// Without sets, and without bytes that glob(7) gives a meaning and we do not.
void judgeGlob(std::string_view pattern, std::string_view text) {
    require(globMatches("*", text), "* matches anything");
    (void)globMatches(pattern, text);
    if (pattern.contains('[')) {
        return;
    }
    const bool libraryMatches =
        ::fnmatch(
            std::string(pattern).c_str(), std::string(text).c_str(), FNM_NOESCAPE) == 0;
    require(globMatches(pattern, text) == libraryMatches, "fnmatch(3) says the same");
}

template <typename Address>
void judgeAddress(std::string_view text) {
    if (const auto address = Address::parse(text)) {
        require(Address::parse(address->text()) == address,
                "its text names the address");
    }
}

void judgeAmounts(std::string_view text) {
    using profile::Form;
    for (const Form form : {Form::size, Form::rate, Form::length, Form::duration}) {
        if (const auto amount = profile::parseAmount(form, text)) {
            require(*amount >= 0, "no amount is negative");
            require(profile::parseAmount(form, profile::amountText(form, *amount)) ==
                        amount,
                    "its text is the amount");
        }
        const std::string repaired = profile::repairedAmount(form, text);
        require(repaired.empty() || profile::parseAmount(form, repaired).has_value(),
                "what is suggested is right");
    }
    if (const auto number = profile::parseNumber(text)) {
        (void)*number;
    }
    (void)profile::parseSwitch(text);
}

void judgeRules(std::string_view text) {
    using profile::TextRule;
    for (unsigned rule = 0; rule <= static_cast<unsigned>(TextRule::environmentValue);
         ++rule) {
        const profile::TextRuleForm& form =
            profile::formOf(static_cast<TextRule>(rule));
        const bool accepted = form.accepts(text);
        require(!accepted || form.rule == TextRule::prose ||
                    std::ranges::none_of(text, isControl),
                "only prose has several lines");
        require(!accepted || !text.contains('\0'), "no text holds a zero byte");
    }
}

void judgeWords(std::string_view text) {
    const std::vector<std::string> words{
        "apply", "check", "plan", "priority-to-buffer"};
    const auto nearest = nearestWord(text, words);
    require(!nearest || std::ranges::find(words, *nearest) != words.end(),
            "a candidate");
    require(!trimmed(text).starts_with(' ') && !trimmed(text).ends_with('\n'),
            "trimmed");
    (void)parseUnsigned(text, 10);
    (void)parseUnsigned(text, 16);
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const auto texts = input.texts(2);
    judgeEscaping(input.text());
    judgeGlob(texts[0], texts[1]);
    judgeAddress<MacAddress>(input.text());
    judgeAddress<PciAddress>(input.text());
    judgeAddress<IpAddress>(input.text());
    judgeAmounts(input.text());
    judgeRules(input.text());
    judgeWords(input.text());
}

}  // namespace fabric
