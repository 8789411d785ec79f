// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/text_rules.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The one table of profile keys. The reader's checks, the defaults, the JSON Schema,
// `explain`, `show`, completion and the manual page are all made from it; there is no
// second list.
namespace fabric::profile {

// What a key holds: one value; fixed keys; a list of values; a list of sections; a map
// from values to values.
enum class Shape { value, section, list, sections, mapping };

// flag is true or false; onOff takes on and off as well. Amounts count in the unit of
// their form: size in bytes, rate in kbit/s, length in metres, duration in ms.
enum class Form { flag, onOff, number, choice, text, size, rate, length, duration };

struct ValueType {
    Form form = Form::text;
    std::string_view noun;  // what one of them is called: "priority"
    std::int64_t min = 0;   // numbers and amounts
    std::int64_t max = 0;
    std::string_view words;  // "dscp|pcp|keep": choices, or words beside an amount
    TextRule rule = TextRule::line;
};

struct Key {
    std::string_view path;  // "dcb.lossless.priority"; list members have no mark
    Shape shape = Shape::value;
    ValueType value;              // of the value, of a list item, of a mapping's values
    ValueType index;              // of a mapping's keys
    std::string_view standard;    // default as it would be written; "" none
    std::string_view derivation;  // where a missing value comes from otherwise
    std::string_view meaning;     // one line
    std::string_view refusal;     // why other values are refused, "" when obvious
    std::string_view touches;     // what on the host it reads and writes
    std::string_view disturbs;    // what a change of it disturbs
    std::string_view fields;      // its sub-keys stand below this path instead
    bool orSection = false;       // one value, or a section
    bool required = false;
    bool perRail = false;   // top-level key that `overrides` may carry
    bool owns = false;      // `null` leaves it unowned; else `null` means the default
    bool nonEmpty = false;  // a list or section needs at least one member
};

// Every row, section by section, in the order in which a profile is written.
[[nodiscard]] const std::vector<Key>& allKeys();

// The keys that may stand directly below `parent`, a row of allKeys(); nullptr: at the
// top.
[[nodiscard]] const std::vector<const Key*>& childrenOf(const Key* parent);

// Whether `null` may stand for this key below `parent`: not where a value is required,
// and not in the items of a list, which replace each other as a whole.
[[nodiscard]] bool takesNull(const Key* parent, const Key& key);

// "priority" of "dcb.lossless.priority".
[[nodiscard]] std::string_view leafOf(const Key& key);

// By dotted path, also through shared sub-keys ("rails.match.rdma", "overrides.mtu");
// nullptr when there is none.
[[nodiscard]] const Key* findKey(std::string_view path);

// The words of a type, split.
[[nodiscard]] std::vector<std::string> wordsOf(const ValueType& type);

// The pieces of the table, one per file.
[[nodiscard]] std::span<const Key> generalKeys();
[[nodiscard]] std::span<const Key> dcbKeys();
[[nodiscard]] std::span<const Key> linkKeys();
[[nodiscard]] std::span<const Key> pcieKeys();
[[nodiscard]] std::span<const Key> addressKeys();
[[nodiscard]] std::span<const Key> serviceKeys();
[[nodiscard]] std::span<const Key> overrideKeys();

// Types that several rows share.
inline constexpr ValueType kPriorityType{
    .form = Form::number, .noun = "priority", .min = 0, .max = 7};
inline constexpr ValueType kDscpType{
    .form = Form::number, .noun = "DSCP", .min = 0, .max = 63};
inline constexpr ValueType kBufferType{
    .form = Form::number, .noun = "buffer", .min = 0, .max = 7};
inline constexpr ValueType kTrafficClassType{
    .form = Form::number, .noun = "traffic class", .min = 0, .max = 7};
inline constexpr ValueType kFlagType{.form = Form::flag, .noun = "true or false"};

constexpr ValueType choiceOf(std::string_view words) {
    return ValueType{.form = Form::choice, .noun = "word", .words = words};
}

constexpr ValueType textOf(TextRule rule) {
    return ValueType{.form = Form::text, .noun = "text", .rule = rule};
}

}  // namespace fabric::profile
