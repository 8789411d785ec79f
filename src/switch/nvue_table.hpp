// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "switch/nvue_output.hpp"

#include <string_view>

namespace fabric::switches {

// The properties of an output as text. Lines that belong to no table are passed over.
[[nodiscard]] NvueValues tableValues(std::string_view text);

}  // namespace fabric::switches
