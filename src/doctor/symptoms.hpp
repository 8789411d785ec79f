// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace fabric::doctor {

// What a person observes, with the causes in the order in which they are worked
// through.
struct Symptom {
    std::string_view name;   // "tcp-fallback"
    std::string_view what;   // one line
    std::string_view entry;  // of the vendor's page, or "experience"
    std::span<const std::string_view> rules;
    std::string_view otherwise;  // what to do when no rule names a cause, "" nothing
};

[[nodiscard]] std::span<const Symptom> symptoms();
// nullptr when there is none of this name.
[[nodiscard]] const Symptom* findSymptom(std::string_view name);

}  // namespace fabric::doctor
