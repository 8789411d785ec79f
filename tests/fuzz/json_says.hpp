// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/json_tree.hpp"

#include <algorithm>

namespace fabric::fuzz {

// Whether `text`, a document that was read, says all that `written` says, which was
// made of what was read: then nothing was taken for something else. What a Value has
// not is null.
[[nodiscard]] inline bool says(const report::Json& text, const report::Json& written) {
    if (written.is_null()) {
        return text.is_null() || text.is_number_unsigned();
    }
    if (written.is_object()) {
        return text.is_object() &&
               std::ranges::all_of(written.items(), [&](auto& each) {
                   const auto member = text.find(each.key());
                   return member != text.end() && says(*member, each.value());
               });
    }
    if (written.is_array()) {
        return text.is_array() && text.size() == written.size() &&
               std::equal(text.begin(), text.end(), written.begin(), says);
    }
    return text == written && text.is_number_float() == written.is_number_float() &&
           text.is_boolean() == written.is_boolean();
}

}  // namespace fabric::fuzz
