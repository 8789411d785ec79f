// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabric::resource::service {

using Variables = std::vector<std::pair<std::string, std::string>>;  // in order

// The assignments of an EnvironmentFile= as systemd reads them (systemd.exec(5)):
// comments, quotes, backslashes, joined lines; no `export`, no expansion.
[[nodiscard]] Variables parseEnvironmentFile(std::string_view text);

// What systemd reads back as these variables.
[[nodiscard]] std::string renderEnvironmentFile(
    const std::map<std::string, std::string>& variables);

// The variables of /proc/PID/environ.
[[nodiscard]] std::map<std::string, std::string> parseProcessEnvironment(
    std::string_view text);

}  // namespace fabric::resource::service
