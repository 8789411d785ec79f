// SPDX-License-Identifier: Apache-2.0
#include "resource/service/exec_line.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kPrefixes = "@-:+!|";
constexpr std::string_view kBlank = " \t";

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> found;
    std::size_t at = text.find_first_not_of(kBlank);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(kBlank, at), text.size());
        found.emplace_back(text.substr(at, end - at));
        at = text.find_first_not_of(kBlank, end);
    }
    return found;
}

}  // namespace

std::optional<ExecLine> parseExecLine(std::string_view value) {
    ExecLine line;
    const std::size_t begin = value.find_first_not_of(kPrefixes);
    if (begin == std::string_view::npos) {
        return std::nullopt;
    }
    line.prefix = value.substr(0, begin);
    value.remove_prefix(begin);
    if (value.starts_with('"') || value.starts_with('\'')) {
        const std::size_t end = value.find(value.front(), 1);
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        line.program = value.substr(1, end - 1);
        line.rest = value.substr(end + 1);
    } else {
        const std::size_t end = std::min(value.find_first_of(kBlank), value.size());
        line.program = value.substr(0, end);
        line.rest = value.substr(end);
    }
    const bool several = std::ranges::count(words(line.rest), ";") > 0;
    return line.program.empty() || several ? std::nullopt : std::optional(line);
}

std::string withProgram(const ExecLine& line, std::string_view program) {
    return line.prefix + quotedWord(program) + line.rest;
}

std::optional<std::vector<std::string>> plainArguments(const ExecLine& line) {
    if (line.rest.find_first_of("\"'\\%") != std::string::npos) {
        return std::nullopt;
    }
    return words(line.rest);
}

std::string quotedWord(std::string_view path) {
    std::string word;
    bool quote = false;
    for (const char letter : path) {
        quote = quote || kBlank.find(letter) != std::string_view::npos ||
                letter == '"' || letter == '\'' || letter == '\\';
        if (letter == '"' || letter == '\\') {
            word += '\\';
        }
        if (letter == '%') {
            word += '%';
        }
        word += letter;
    }
    return quote ? '"' + word + '"' : word;
}

}  // namespace fabric::resource::service
