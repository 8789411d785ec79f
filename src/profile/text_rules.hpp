// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace fabric::profile {

// What a text must look like.
enum class TextRule {
    line,
    prose,
    path,
    absolutePath,
    programPath,
    moduleName,
    unitName,
    glob,
    hexGlob,
    ipAddress,
    macAddress,
    environmentName,
    environmentValue,
};

// One rule in the three forms that are needed: for people, for JSON Schema (an ECMA-262
// pattern that accepts at least what `accepts` does) and as the test itself.
struct TextRuleForm {
    TextRule rule;
    std::string_view description;
    std::string_view pattern;
    std::size_t maxBytes;
    bool (*accepts)(std::string_view text);
    bool takesNumbers;  // an unquoted number is meant as its text: vendor: 8086
};

[[nodiscard]] const TextRuleForm& formOf(TextRule rule);

}  // namespace fabric::profile
