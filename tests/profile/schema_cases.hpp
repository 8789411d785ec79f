// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string_view>
#include <vector>

namespace fabric::profile {

// Whether a profile is right, and who can tell. `meaning` is what only the reader
// sees: several keys together, ranges of amounts, duplicate keys, values left out.
enum class Standing { good, bad, meaning };

struct SchemaCase {
    std::string_view name;
    std::string_view text;
    Standing standing = Standing::good;
};

// gtest prints the name instead of bytes.
inline void PrintTo(const SchemaCase& one, std::ostream* out) {
    *out << one.name;
}

// Judged by the reader (schema_agreement_test.cpp) and by a JSON Schema validator
// (schema_agreement.py).
[[nodiscard]] const std::vector<SchemaCase>& schemaCases();

}  // namespace fabric::profile
