// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fabric {

// One word of a POSIX shell: as it is where nothing in it is special, else in single
// quotes; with bytes that a terminal must not get, in $'...' (bash, zsh, ksh).
[[nodiscard]] std::string shellWord(std::string_view text);

}  // namespace fabric
