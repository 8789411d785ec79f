// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace fabric::snapshot {

inline constexpr const char* kSeal = "sha256";

// The SHA-256 of what a document says, without its member "sha256", whatever its spaces
// and the order of its members. It tells values that were read from values that were
// edited since; it is no proof against who can write the file and reckon.
[[nodiscard]] std::string sealOf(nlohmann::json document);

}  // namespace fabric::snapshot
