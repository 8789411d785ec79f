// SPDX-License-Identifier: Apache-2.0
#include "doctor/process_status.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace fabric::doctor {

namespace {

// CONFIG_NR_CPUS of distributions is at most this.
constexpr unsigned long long kMostProcessors = 8192;

// "Groups:\t4 27 104 "
std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::string_view rest = trimmed(text); !rest.empty();) {
        const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
        words.push_back(rest.substr(0, end));
        rest = trimmed(rest.substr(end));
    }
    return words;
}

void addGroup(std::string_view word, std::vector<gid_t>& groups) {
    const auto number = parseUnsigned(word);
    if (number && *number <= std::numeric_limits<gid_t>::max()) {
        groups.push_back(static_cast<gid_t>(*number));
    }
}

// All numbers as they are outside: one line of the whole range
// (user_namespaces(7)). No such file: a kernel without namespaces of users.
bool isInitialNamespace(const Result<std::string>& map) {
    if (!map) {
        return map.error().kind == ErrorKind::notFound;
    }
    const auto words = wordsOf(*map);
    return words.size() == 3 && words[0] == "0" && words[1] == "0" &&
           words[2] == "4294967295";
}

}  // namespace

std::optional<std::set<unsigned>> processorsOf(std::string_view text) {
    std::set<unsigned> processors;
    if (trimmed(text).empty()) {
        return processors;  // of a node with memory only
    }
    for (const std::string_view part : split(trimmed(text), ',')) {
        const std::size_t dash = part.find('-');
        const auto first = parseUnsigned(part.substr(0, dash));
        const auto last = dash == std::string_view::npos
                              ? first
                              : parseUnsigned(part.substr(dash + 1));
        if (!first || !last || *first > *last || *last >= kMostProcessors) {
            return std::nullopt;
        }
        for (auto one = *first; one <= *last; ++one) {
            processors.insert(static_cast<unsigned>(one));
        }
    }
    return processors;
}

ProcessStatus parseProcessStatus(std::string_view text) {
    constexpr int kHexadecimal = 16;
    ProcessStatus status;
    for (const std::string_view line : split(text, '\n')) {
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) {
            continue;
        }
        const std::string_view name = line.substr(0, colon);
        const auto words = wordsOf(line.substr(colon + 1));
        if (name == "Gid" && words.size() > 1) {
            addGroup(words[1], status.groups);  // real, effective, saved, file system
        } else if (name == "Groups") {
            for (const std::string_view word : words) {
                addGroup(word, status.groups);
            }
        } else if (name == "CapEff" && !words.empty()) {
            status.capabilities = parseUnsigned(words[0], kHexadecimal).value_or(0);
        } else if (name == "NSpid") {
            status.ownProcessNumbers = words.size() > 1;
        } else if (name == "Cpus_allowed_list" && !words.empty()) {
            status.processors = processorsOf(words[0]).value_or(std::set<unsigned>{});
        }
    }
    return status;
}

Result<ProcessStatus> readProcessStatus(const host::FileReader& files,
                                        std::uint32_t pid) {
    ProcessStatus status =
        parseProcessStatus(TRY(files.read(fmt::format("/proc/{}/status", pid))));
    status.initialUserNamespace =
        isInitialNamespace(files.read(fmt::format("/proc/{}/uid_map", pid)));
    return status;
}

}  // namespace fabric::doctor
