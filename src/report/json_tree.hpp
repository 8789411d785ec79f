// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// Values and JSON trees, for the files of this room that print or read JSON.
namespace fabric::report {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json treeOf(const Value& value);
// What JSON has and Value has not (a number beyond 64 bits) becomes null.
[[nodiscard]] Value valueOf(const Json& tree);

// Text from a file that anybody may have written: what is nested deeper than anything
// this program writes is left out. Throws what the library throws.
[[nodiscard]] Json parseTree(std::string_view text);

// What is wrong with a text that is not the JSON it should be, in this program's words.
[[nodiscard]] std::string problemOf(const nlohmann::json::exception& error);

}  // namespace fabric::report
