// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fabric {

// SHA-256 (FIPS 180-4) of the bytes as 64 lower-case hexadecimal digits, as
// sha256sum(1) prints it.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace fabric
