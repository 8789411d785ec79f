// SPDX-License-Identifier: Apache-2.0
#include "facts/redaction.hpp"

#include "base/text.hpp"
#include "facts/carried_text.hpp"
#include "facts/selection.hpp"
#include "resource/service/environment_file.hpp"
#include "resource/service/program_word.hpp"
#include "resource/service/unit_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace fabric::facts {

namespace {

namespace service = resource::service;

constexpr std::string_view kQuoting = "\"'\\%";
constexpr std::string_view kBlank = " \t";

bool isAll(std::string_view text, std::string_view further) {
    return std::ranges::all_of(text, [&](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || further.contains(letter);
    });
}

// "--address", "-S", "-c2": a name, and at most a small number for its value.
bool isFlag(std::string_view word) {
    constexpr std::size_t kLongest = 40;
    constexpr std::size_t kMostDigits = 3;
    if (!word.starts_with("--")) {
        const bool number = word.size() <= 2 || (word.size() <= 2 + kMostDigits &&
                                                 parseUnsigned(word.substr(2)));
        return word.size() >= 2 && word.front() == '-' && isAll(word.substr(1), "") &&
               number;
    }
    return word.size() > 2 && word.size() < kLongest && isAll(word.substr(2), "-");
}

// "$MINIO_OPTS", "${MINIO_OPTS}": what it stands for is in the environment.
bool isReference(std::string_view word) {
    if (!word.starts_with('$')) {
        return false;
    }
    word.remove_prefix(1);
    if (word.starts_with('{') && word.ends_with('}')) {
        word = word.substr(1, word.size() - 2);
    }
    return !word.empty() && isAll(word, "_");
}

// A port, or a number as small as one.
bool isPort(std::string_view word) {
    constexpr std::size_t kDigits = 5;
    if (word.starts_with(':')) {
        word.remove_prefix(1);
    }
    return word.size() <= kDigits && parseUnsigned(word).has_value();
}

bool isPlainName(std::string_view word) {
    return isAll(word, "/_.+-");
}

bool isPlainPath(std::string_view word) {
    return word.starts_with('/') && isPlainName(word);
}

}  // namespace

std::string Redaction::markFor(std::string_view secret) {
    const auto known = marks_.find(secret);
    const std::size_t number =
        known != marks_.end() ? known->second
                              : marks_.emplace(secret, marks_.size() + 1).first->second;
    const std::string mark = fmt::format("left-out-{}", number);
    // What systemd alone can read stays what systemd alone can read.
    return secret.find_first_of(kQuoting) == std::string_view::npos ? mark
                                                                    : '"' + mark + '"';
}

std::string Redaction::argument(std::string_view word) {
    constexpr std::array<std::string_view, 2> kWords{"server", ";"};
    const bool program = isPlainName(word) && (service::isServerProgram(word, {}) ||
                                               service::isWrapper(word));
    const bool variable = service::isCarriedVariable(word.substr(0, word.find('='))) &&
                          isAll(word, "_=-");
    if (isOneOf(word, kWords) || program || isFlag(word) || isReference(word) ||
        isPort(word) || variable) {
        return std::string(word);
    }
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos && isFlag(word.substr(0, equals))) {
        const std::string_view value = word.substr(equals + 1);
        return std::string(word.substr(0, equals + 1)) +
               (isPort(value) ? std::string(value) : markFor(value));
    }
    return markFor(word);
}

// ExecStart= as written: the program stays, the arguments go word by word. Several
// commands in one line are as many lines without their programs.
std::string Redaction::commandLineOf(std::string_view value) {
    std::string line;
    bool first = true;
    for (std::size_t at = value.find_first_not_of(kBlank); at < value.size();) {
        const std::size_t end = std::min(value.find_first_of(kBlank, at), value.size());
        const std::string_view word = value.substr(at, end - at);
        const std::size_t path =
            std::min(word.find_first_not_of("@-:+!|\"'"), word.size());
        const bool closed = word.ends_with('"') || word.ends_with('\'');
        const bool isProgram =
            first &&
            isPlainPath(word.substr(path, word.size() - path - (closed ? 1 : 0)));
        line += (first ? "" : " ") + (isProgram ? std::string(word) : argument(word));
        first = false;
        at = value.find_first_not_of(kBlank, end);
    }
    return line;
}

// UnsetEnvironment=: names, and values that may be secrets.
std::string Redaction::unsetList(std::string_view value) {
    std::string list;
    for (const std::string_view word : split(value, ' ')) {
        const std::size_t equals = word.find('=');
        const bool carried = equals == std::string_view::npos ||
                             service::isCarriedVariable(word.substr(0, equals));
        list += (list.empty() ? "" : " ") +
                (carried ? std::string(word)
                         : fmt::format("{}={}",
                                       word.substr(0, equals),
                                       markFor(word.substr(equals + 1))));
    }
    return list;
}

std::string Redaction::settingOf(std::string_view key, std::string_view value) {
    if (key == "ExecStart") {
        return commandLineOf(value);
    }
    return key == "UnsetEnvironment" ? unsetList(value) : std::string(value);
}

std::string Redaction::unitFile(std::string_view text) {
    std::string carried;
    std::string section;
    for (const service::UnitSetting& setting : service::parseUnitFile(text)) {
        if (!isCarriedSetting(setting.key)) {
            continue;
        }
        if (setting.section != section) {
            carried +=
                fmt::format("{}[{}]\n", carried.empty() ? "" : "\n", setting.section);
            section = setting.section;
        }
        carried +=
            fmt::format("{}={}\n", setting.key, settingOf(setting.key, setting.value));
    }
    return carried;
}

std::string Redaction::installCommand(std::string_view command) {
    constexpr std::array<std::string_view, 4> kNoLoad{
        "/bin/true", "/bin/false", "/usr/bin/true", "/usr/bin/false"};
    command = trimmed(command);
    return isOneOf(command, kNoLoad) ? std::string(command) : markFor(command);
}

// Lines keep their numbers.
std::string Redaction::modprobeFile(std::string_view text) {
    std::vector<std::string> lines;
    bool continued = false;
    for (const std::string_view line : split(text, '\n')) {
        const bool joined = std::exchange(continued, line.ends_with('\\'));
        const ModprobeWords words = modprobeWordsOf(line);
        if (joined || !isAll(words.name, "_-*?[]")) {
            lines.emplace_back();
        } else if (words.verb == "blacklist") {
            lines.push_back(fmt::format("blacklist {}", words.name));
        } else if (words.verb == "install") {
            lines.push_back(
                fmt::format("install {} {}", words.name, installCommand(words.rest)));
        } else {
            lines.emplace_back();
        }
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string Redaction::fileText(std::string_view path, std::string text) {
    switch (carryOf(path)) {
        case Carry::whole:
            return text;
        case Carry::commandLine:
            return carriedCommandLine(text);
        case Carry::environ:
            return carriedEnviron(text);
        case Carry::processors:
            return firstProcessor(text);
        case Carry::mounts:
            return carriedMounts(text);
        case Carry::unitFile:
            return withRemark(text, unitFile(text));
        case Carry::sysctl:
            return withRemark(text, carriedSysctl(text));
        case Carry::modprobe:
            return withRemark(text, modprobeFile(text));
        case Carry::moduleList:
            return withRemark(text, carriedModuleList(text));
        case Carry::limits:
            return withRemark(text, carriedLimits(text));
        case Carry::environmentFile:
            break;
    }
    return withRemark(text, carriedEnvironmentFile(text));
}

host::ServiceUnit Redaction::unit(host::ServiceUnit unit) {
    std::erase_if(unit.environment, [](const std::string& entry) {
        return !service::isCarriedVariable(
            std::string_view(entry).substr(0, entry.find('=')));
    });
    for (host::ServiceCommand& command : unit.execStart) {
        for (std::string& word : command.arguments) {
            const bool program = &word == &command.arguments.front() &&
                                 (word == command.path || isPlainPath(word));
            word = program ? word : argument(word);
        }
    }
    return unit;
}

host::Module Redaction::module(host::Module module) {
    for (host::ModuleCommand& command : module.installCommands) {
        command.command = installCommand(command.command);
    }
    return module;
}

}  // namespace fabric::facts
