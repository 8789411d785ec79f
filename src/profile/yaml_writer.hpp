// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/document.hpp"

#include <string>

namespace fabric::profile {

// A tree as block YAML, short maps and lists on one line, notes as comments. Text that
// a YAML 1.1 reader would take for something else is quoted.
[[nodiscard]] std::string writeYaml(const TreeNode& root);

}  // namespace fabric::profile
