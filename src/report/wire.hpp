// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/status.hpp"
#include "report/text.hpp"

#include <string>

namespace fabric::report {

// What the wire answered, for a person; "" when nothing was asked.
[[nodiscard]] std::string toText(const engine::WireAnswers& wire,
                                 const TextOptions& options);

// Members `l2_probe` and `audit` of a status document, as far as they were asked for.
void addWire(const engine::WireAnswers& wire, Value::Object& status);

}  // namespace fabric::report
