// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::service {

// One word of a command line, and where it stands in the text.
struct ExecWord {
    std::string text;  // without quotes
    std::size_t begin = 0;
    std::size_t size = 0;
    // As systemd loads it: no quote, no backslash, no specifier. Variables stay until
    // the start. In facts a quoted text may be as many words as it has blanks.
    bool plain = true;
};

// One ExecStart= as written: systemd.service(5), COMMAND LINES.
struct ExecLine {
    std::string prefix;           // of "@-:+!|"
    std::string text;             // raw, what follows the prefix
    std::vector<ExecWord> words;  // of the text, the program's path first

    // argv[0] stands between the path and the arguments.
    [[nodiscard]] bool namesItself() const {
        return prefix.find('@') != std::string::npos;
    }

    // Where in `words` the n-th of {path, arguments...} stands.
    [[nodiscard]] std::size_t placeOf(std::size_t nth) const {
        return nth + (nth > 0 && namesItself() ? 1 : 0);
    }

    // Path and arguments, argv[0] left out.
    [[nodiscard]] std::vector<std::string> command() const;
    // Every word is plain.
    [[nodiscard]] bool plain() const;
};

// The error says in what way the value is not one command.
[[nodiscard]] std::expected<ExecLine, std::string> parseExecLine(
    std::string_view value);

// The line with another program as the n-th of its command, everything else kept.
[[nodiscard]] std::string withProgram(const ExecLine& line,
                                      std::size_t nth,
                                      std::string_view program);

// The program as that word is loaded: in an argument a dollar sign begins a variable.
[[nodiscard]] std::string loadedProgram(std::size_t nth, std::string_view program);

// A path as one word of a unit file.
[[nodiscard]] std::string quotedWord(std::string_view path);

}  // namespace fabric::resource::service
