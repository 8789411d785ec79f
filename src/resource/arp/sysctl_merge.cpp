// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/sysctl_merge.hpp"

#include "base/text.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace fabric::resource::arp {

namespace {

constexpr std::string_view kSeparators = "/.";
constexpr std::string_view kGlobCharacters = "*?[";

void swapSeparators(std::string& key) {
    for (char& character : key) {
        if (character == '.') {
            character = '/';
        } else if (character == '/') {
            character = '.';
        }
    }
}

std::optional<SysctlLine> parseLine(std::string_view text) {
    text = trimmed(text);
    if (text.empty() || text.front() == '#' || text.front() == ';') {
        return std::nullopt;
    }
    const bool dash = text.front() == '-';
    if (dash) {
        text.remove_prefix(1);
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos && !dash) {
        return std::nullopt;
    }
    SysctlLine line;
    line.key = slashSpelling(trimmed(text.substr(0, equals)));
    if (equals != std::string_view::npos) {
        line.value = std::string(trimmed(text.substr(equals + 1)));
    }
    return line;
}

// As glob(3) matches paths: no wildcard reaches over a slash or takes a leading dot.
bool matches(const SysctlLine& pattern, const std::string& key) {
    return ::fnmatch(pattern.key.c_str(), key.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
}

}  // namespace

std::string SysctlLine::place() const {
    return escapeForTerminal(path) + ", line " + std::to_string(number);
}

bool SysctlLine::isPattern() const {
    return key.find_first_of(kGlobCharacters) != std::string::npos;
}

std::string slashSpelling(std::string_view key) {
    std::string spelled(key);
    const std::size_t first = spelled.find_first_of(kSeparators);
    if (first != std::string::npos && spelled[first] == '.') {
        swapSeparators(spelled);
    }
    const auto doubled = std::ranges::unique(
        spelled, [](char left, char right) { return left == '/' && right == '/'; });
    spelled.erase(doubled.begin(), doubled.end());
    if (spelled.size() > 1 && spelled.front() == '/') {
        spelled.erase(0, 1);
    }
    return spelled;
}

std::vector<SysctlLine> linesOf(const SysctlFile& file) {
    std::vector<SysctlLine> lines;
    unsigned number = 0;
    for (const std::string_view text : split(file.text, '\n')) {
        ++number;
        if (auto line = parseLine(text)) {
            line->path = file.path;
            line->number = number;
            lines.push_back(std::move(*line));
        }
    }
    return lines;
}

SysctlMerge::SysctlMerge(SysctlProgram program, std::span<const SysctlFile> files)
    : program_(program) {
    for (const SysctlFile& file : files) {
        for (SysctlLine& line : linesOf(file)) {
            add(std::move(line));
        }
    }
}

void SysctlMerge::add(SysctlLine line) {
    if (program_ == SysctlProgram::systemd) {
        addForSystemd(std::move(line));
    } else {
        addForProcps(std::move(line));
    }
}

// src/sysctl/sysctl.c: one entry per spelling. A later line with another value takes
// its place at the end, one with the same value changes nothing; an exclusion is a line
// with its own "value".
void SysctlMerge::addForSystemd(SysctlLine line) {
    if (!line.isPattern()) {
        const auto [known, added] = exact_.try_emplace(line.key, line);
        if (!added && known->second.value != line.value) {
            known->second = std::move(line);
        }
        return;
    }
    const auto known = std::ranges::find(patterns_, line.key, &SysctlLine::key);
    if (known != patterns_.end() && known->value == line.value) {
        return;
    }
    if (known != patterns_.end()) {
        patterns_.erase(known);
    }
    patterns_.push_back(std::move(line));
}

// sysctl(8) of procps 4: an exclusion keeps patterns off a key, never an assignment
// that names it, wherever the lines stand.
void SysctlMerge::addForProcps(SysctlLine line) {
    if (line.isPattern()) {
        patterns_.push_back(std::move(line));
    } else {
        auto& lines = line.value ? exact_ : excluded_;
        lines.insert_or_assign(line.key, line);
    }
}

std::optional<SysctlLine> SysctlMerge::winner(const std::string& key) const {
    for (const auto* const lines : {&exact_, &excluded_}) {
        if (const auto found = lines->find(key); found != lines->end()) {
            return found->second;
        }
    }
    for (const SysctlLine& pattern : std::views::reverse(patterns_)) {
        if (pattern.value && matches(pattern, key)) {
            return pattern;
        }
    }
    return std::nullopt;
}

}  // namespace fabric::resource::arp
