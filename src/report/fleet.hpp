// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "fleet/verdict.hpp"
#include "report/text.hpp"

#include <string>

namespace fabric::report {

// For a person: one line for each difference, the worst first, with the hosts that have
// it; then what repairs each. --verbose names every host. Foreign text is escaped.
[[nodiscard]] std::string toText(const fleet::Verdict& verdict,
                                 const TextOptions& options);
// docs/fleet-schema.json, "fabricctl/fleet/1".
[[nodiscard]] Value toValue(const fleet::Verdict& verdict);

}  // namespace fabric::report
