// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

// Values and JSON trees, for the files of this room that print or read JSON.
namespace fabric::report {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json treeOf(const Value& value);
// What JSON has and Value has not (a number beyond 64 bits) becomes null.
[[nodiscard]] Value valueOf(const Json& tree);

// Text from a file that anybody may have written: what is nested deeper than anything
// this program writes is left out. Throws what the library throws.
[[nodiscard]] Json parseTree(std::string_view text);

// The whole number of a member, exactly as it stands there. The library itself makes a
// number of true and of 1.5, cuts what is too large, and what it makes of 1e300 is
// undefined. Throws its exceptions for all of these.
template <std::integral Number>
[[nodiscard]] Number numberAt(const Json& tree, const char* key) {
    constexpr int kOutOfRange = 406;
    const Json& number = tree.at(key);
    const bool fits = number.is_number_unsigned()
                          ? std::in_range<Number>(number.get<std::uint64_t>())
                          : number.is_number_integer() &&
                                std::in_range<Number>(number.get<std::int64_t>());
    if (!fits) {
        throw Json::out_of_range::create(
            kOutOfRange, std::string("no number that can be ") + key, &number);
    }
    return static_cast<Number>(number.get<std::uint64_t>());
}

// The list of a member. The library also goes through null, through objects and through
// a lone value as if they were lists. Throws its exceptions.
[[nodiscard]] const Json& listAt(const Json& tree, const char* key);

// One that a Value holds, from 0 on.
[[nodiscard]] std::uint64_t countAt(const Json& tree, const char* key);

// What is wrong with a text that is not the JSON it should be, in this program's words.
[[nodiscard]] std::string problemOf(const nlohmann::json::exception& error);

}  // namespace fabric::report
