// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "doctor/diagnosis.hpp"
#include "report/text.hpp"

#include <string>

namespace fabric::report {

// For a person: what fails first, each with the two values, a command that shows the
// same, and what repairs it. Foreign text is escaped.
[[nodiscard]] std::string toText(const doctor::Diagnosis& diagnosis,
                                 const TextOptions& options);
// docs/doctor-schema.json, "fabricctl/doctor/1".
[[nodiscard]] Value toValue(const doctor::Diagnosis& diagnosis);

// doctor --list: the symptoms with their rules, then every rule.
[[nodiscard]] std::string doctorListText();
[[nodiscard]] Value doctorListValue();

}  // namespace fabric::report
