// SPDX-License-Identifier: Apache-2.0
#include "facts/carried_text.hpp"

#include "base/text.hpp"
#include "facts/selection.hpp"
#include "resource/arp/persistent_file.hpp"
#include "resource/arp/sysctl_merge.hpp"
#include "resource/module/boot_list.hpp"
#include "resource/service/drop_in.hpp"
#include "resource/service/environment_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fabric::facts {

namespace {

constexpr std::string_view kRemark = "# what is missing here is no part of the facts\n";
constexpr std::string_view kBlank = " \t\n\r";

// The words of a kernel command line: white space inside double quotes does not part
// them (lib/cmdline.c, next_arg).
std::vector<std::string> parameterWords(std::string_view text) {
    std::vector<std::string> words;
    bool quoted = false;
    bool open = false;
    for (const char letter : text) {
        quoted = letter == '"' ? !quoted : quoted;
        if (!quoted && kBlank.contains(letter)) {
            open = false;
            continue;
        }
        if (!open) {
            words.emplace_back();
        }
        open = true;
        words.back() += letter;
    }
    return words;
}

// Each line that `keep` turns into something else than "", at its number.
template <typename Keep>
std::string linewise(std::string_view text, Keep keep) {
    std::vector<std::string> lines;
    for (const std::string_view line : split(text, '\n')) {
        lines.push_back(keep(line));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

bool isPlainWord(std::string_view word) {
    return std::ranges::all_of(word, [](char letter) {
        return letter == '_' || letter == '-' || (letter >= '0' && letter <= '9') ||
               (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    });
}

bool isPlainValue(std::string_view value) {
    constexpr std::size_t kLongest = 32;
    return value.size() <= kLongest && std::ranges::all_of(value, [](char letter) {
               return (letter >= '0' && letter <= '9') || letter == '-' ||
                      kBlank.contains(letter);
           });
}

std::string carriedSysctlLine(std::string_view line) {
    const std::string_view text = trimmed(line);
    const std::size_t equals = text.find('=');
    std::string_view key = trimmed(text.substr(0, equals));
    if (key.starts_with('-')) {
        key.remove_prefix(1);
    }
    const std::string spelled = resource::arp::slashSpelling(key);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view{} : text.substr(equals + 1);
    // A pattern may reach net/ipv4 too.
    const bool ours = spelled.starts_with("net/ipv4/") ||
                      spelled.find_first_of("*?[") != std::string::npos;
    return ours && isPlainValue(value) ? std::string(line) : std::string();
}

std::string rendered(const std::string& name, const std::string& value) {
    const std::string text = resource::service::renderEnvironmentFile({{name, value}});
    return text.substr(text.find('\n') + 1);
}

// The comments with which files of this program begin.
std::vector<std::string> ownHeads() {
    const auto headOf = [](std::string_view text) {
        std::string head;
        for (const std::string_view line : split(text, '\n')) {
            if (!line.starts_with('#')) {
                break;
            }
            head += std::string(line) + "\n";
        }
        return head;
    };
    resource::service::UnitLists lists;
    profile::ServiceSettings settings;
    settings.binary.clear();  // which would ask for a command in the lists
    settings.limitMemlock = profile::MemlockLimit{};
    return {headOf(resource::arp::render({})),
            headOf(resource::kernel_module::renderBootList({})),
            headOf(resource::service::renderEnvironmentFile({})),
            headOf(resource::service::makeDropIn(settings, lists).text)};
}

}  // namespace

std::string carriedCommandLine(std::string_view text) {
    std::vector<std::string> kept;
    for (std::string& word : parameterWords(text)) {
        if (word == "--") {
            break;  // what follows is for init
        }
        if (isCarriedParameter(std::string_view(word).substr(0, word.find('=')))) {
            kept.push_back(std::move(word));
        }
    }
    return fmt::format("{}\n", fmt::join(kept, " "));
}

std::string carriedEnviron(std::string_view text) {
    std::string kept;
    for (const std::string_view entry : split(text, '\0')) {
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos &&
            resource::service::isCarriedVariable(entry.substr(0, equals))) {
            kept.append(entry);
            kept += '\0';
        }
    }
    return kept;
}

std::string firstProcessor(std::string_view text) {
    const std::size_t end = text.find("\n\n");
    return std::string(text.substr(0, end == std::string_view::npos ? end : end + 1));
}

std::string carriedMounts(std::string_view text) {
    constexpr std::array<std::string_view, 7> kKernel{
        "cgroup", "cgroup2", "configfs", "debugfs", "securityfs", "sysfs", "tracefs"};
    std::string kept;
    for (const std::string_view line : split(text, '\n')) {
        const auto fields = split(line, ' ');
        if (fields.size() > 2 && isOneOf(fields[2], kKernel)) {
            kept += fmt::format("{} {} {}\n", fields[0], fields[1], fields[2]);
        }
    }
    return kept;
}

std::string carriedSysctl(std::string_view text) {
    return linewise(text, carriedSysctlLine);
}

std::string carriedModuleList(std::string_view text) {
    return linewise(text, [](std::string_view line) {
        const std::string_view name = trimmed(line);
        return isPlainWord(name) ? std::string(line) : std::string();
    });
}

std::string carriedLimits(std::string_view text) {
    return linewise(text, [](std::string_view line) {
        const std::string_view setting = line.substr(0, line.find('#'));
        return setting.contains("memlock") ? "memlock" : std::string();
    });
}

std::string carriedEnvironmentFile(std::string_view text) {
    constexpr std::string_view kExport = "export ";
    std::string kept;
    for (const auto& [name, value] : resource::service::parseEnvironmentFile(text)) {
        std::string_view bare = name;
        if (bare.starts_with(kExport)) {
            bare = trimmed(bare.substr(kExport.size()));
        }
        if (resource::service::isCarriedVariable(bare)) {
            kept += rendered(name, value);
        }
    }
    return kept;
}

ModprobeWords modprobeWordsOf(std::string_view line) {
    const auto take = [&line] {
        line = trimmed(line);
        const std::string_view word = line.substr(0, line.find_first_of(" \t"));
        line.remove_prefix(word.size());
        return word;
    };
    const std::string_view verb = take();
    const std::string_view name = take();
    return {.verb = verb, .name = name, .rest = trimmed(line)};
}

std::string withRemark(std::string_view whole, std::string carried) {
    if (carried == whole) {
        return carried;
    }
    for (const std::string& head : ownHeads()) {
        if (!whole.starts_with(head)) {
            continue;
        }
        // Where lines keep their numbers the head left empty ones.
        const auto lines = static_cast<std::size_t>(std::ranges::count(head, '\n'));
        const std::string empty(lines, '\n');
        if (carried.starts_with(empty)) {
            carried.erase(0, lines);
        }
        carried.insert(0, head);
        if (carried == whole) {
            return carried;
        }
    }
    if (!carried.empty() && !carried.ends_with('\n')) {
        carried += '\n';
    }
    return carried + std::string(kRemark);
}

}  // namespace fabric::facts
