// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::service {

// One ExecStart= as written: systemd.service(5), COMMAND LINES.
struct ExecLine {
    std::string prefix;   // of "@-:+!|"
    std::string program;  // without quotes
    std::string rest;     // raw, leading white space kept; quotes, $ and % untouched

    // argv[0] stands in front of the arguments.
    [[nodiscard]] bool namesItself() const {
        return prefix.find('@') != std::string::npos;
    }
};

// std::nullopt when there is no program, its quote is open, or ";" makes it several
// commands.
[[nodiscard]] std::optional<ExecLine> parseExecLine(std::string_view value);

// The line with another program, everything else kept.
[[nodiscard]] std::string withProgram(const ExecLine& line, std::string_view program);

// The arguments as systemd loads them, when they are plain words: no quotes, no
// backslash, no specifier. Variables stay as they are until the start.
[[nodiscard]] std::optional<std::vector<std::string>> plainArguments(
    const ExecLine& line);

// A path as one word of a unit file.
[[nodiscard]] std::string quotedWord(std::string_view path);

}  // namespace fabric::resource::service
