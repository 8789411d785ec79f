// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::kernel_module {

inline constexpr const char* kBootListDirectory = "/etc/modules-load.d";
inline constexpr const char* kBootList = "/etc/modules-load.d/fabricctl.conf";

// The kernel's spelling of a module name: - and _ are the same to module tools.
[[nodiscard]] std::string canonicalName(std::string_view name);

// The modules that a file of modules-load.d(5) names: one per line, `#` and `;` begin
// comments.
[[nodiscard]] std::set<std::string> parseBootList(std::string_view text);

// Lines of a file of ours that fabricctl would not write for `wanted`, as they stand
// there, each once; blank lines and repeated ones load nothing.
[[nodiscard]] std::vector<std::string> foreignLines(
    std::string_view text, const std::set<std::string>& wanted);

[[nodiscard]] std::string renderBootList(const std::set<std::string>& modules);

}  // namespace fabric::resource::kernel_module
