// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/status.hpp"
#include "report/text.hpp"

#include <string>

namespace fabric::report {

// What this host looks like, for a person: one verdict line per rail, the parts that
// are not right below it (all parts when verbose), then GPUs and NICs with what stands
// between them.
[[nodiscard]] std::string toText(const engine::Status& status,
                                 const TextOptions& options);

// The same as one JSON document, schema "fabricctl/status/1".
[[nodiscard]] Value toValue(const engine::Status& status);

}  // namespace fabric::report
