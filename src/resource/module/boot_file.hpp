// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "resource/assessment.hpp"

#include <optional>
#include <set>
#include <string>

namespace fabric::resource::kernel_module {

// An assessment of our file of modules-load.d as a whole, without a verdict yet: id
// module/boot-list, which no module can bear.
[[nodiscard]] Assessment bootFile();
// std::nullopt when nothing stands in it that the profile does not ask for; what it
// lacks is told by each module.
[[nodiscard]] std::optional<Assessment> compareBootFile(
    const std::optional<std::string>& text, const std::set<std::string>& wanted);

// Without a modules section: our file, when it still lists something. It is released,
// not emptied.
[[nodiscard]] std::optional<Finding> leftOverList(const host::FileReader& files,
                                                  bool image);

}  // namespace fabric::resource::kernel_module
