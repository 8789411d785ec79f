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

// A variable whose value may be shown, and leave the host in a file of facts: the
// server's RDMA settings, and the path of the file that it reads by itself. Any other
// may be a secret.
[[nodiscard]] bool isCarriedVariable(std::string_view name);

// A variable's value as a report shows it, which more people can read than the file:
// of one that may be a secret only whether it is as wanted.
[[nodiscard]] std::string shownValue(std::string_view name,
                                     std::string_view value,
                                     std::string_view wanted);

}  // namespace fabric::resource::service
