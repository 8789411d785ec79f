// SPDX-License-Identifier: Apache-2.0
#include "resource/service/drop_in.hpp"

#include "resource/service/exec_line.hpp"
#include "resource/service/program_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <utility>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kHeader =
    "# Written by fabricctl from the unit's other files and its profile. The next\n"
    "# 'fabricctl apply' undoes a change made here; fabricctl-profile(5), service.\n";

// "|" and "!" in front of a path, and blanks behind them, belong to the check, not to
// the path.
std::string pathOfCheck(const std::string& value) {
    const std::size_t begin = value.find_first_not_of("|! \t");
    return begin == std::string::npos ? "" : value.substr(begin);
}

bool namesProgram(const Checks& checks, const std::string& program) {
    return std::ranges::any_of(checks, [&](const auto& check) {
        return pathOfCheck(check.second) == program;
    });
}

// A check's value is not split into words, but its specifiers are expanded.
std::string withoutSpecifiers(std::string_view path) {
    std::string text;
    for (const char letter : path) {
        text += letter == '%' ? "%%" : std::string(1, letter);
    }
    return text;
}

std::string remade(const Checks& checks,
                   const std::string& program,
                   const std::string& binary) {
    if (checks.empty()) {
        return {};
    }
    // Any one of them, empty, empties the whole list.
    std::string text = checks.front().first + "=\n";
    for (const auto& [key, value] : checks) {
        const std::string path = pathOfCheck(value);
        const std::string marks = value.substr(0, value.size() - path.size());
        text += fmt::format("{}={}{}\n",
                            key,
                            marks,
                            path == program ? withoutSpecifiers(binary) : path);
    }
    return text;
}

// A backslash at the end of a line would make the next line part of it. A value gets
// one where a blank stands behind the backslash in the unit's own file.
bool joinsLines(const std::string& text) {
    return text.contains("\\\n");
}

std::string limitText(const profile::MemlockLimit& limit) {
    return limit.bytes ? std::to_string(limit.bytes->count) : "infinity";
}

// The unit's command with the place of the server's program in it.
struct ServerCommand {
    ExecLine line;
    std::size_t place = 0;

    [[nodiscard]] std::string program() const {
        return line.words[line.placeOf(place)].text;
    }
};

std::expected<ServerCommand, std::string> serverCommandOf(
    const std::vector<std::string>& commands, const std::string& binary) {
    if (commands.empty()) {
        return std::unexpected("the unit's own files give no ExecStart=");
    }
    if (commands.size() > 1) {
        return std::unexpected(fmt::format(
            "the unit's own files give {} ExecStart= commands, and a drop-in for the "
            "server can only replace one",
            commands.size()));
    }
    constexpr std::string_view kWhose = "ExecStart= of the unit's own files ";
    auto line = parseExecLine(commands.front());
    if (!line) {
        return std::unexpected(std::string(kWhose) + line.error());
    }
    const auto place = programWord(line->command(), binary);
    if (!place) {
        return std::unexpected(std::string(kWhose) + place.error());
    }
    return ServerCommand{.line = std::move(*line), .place = *place};
}

// Any name that sorts before ours will do.
std::string ownCommandFix(const std::string& unit) {
    return fmt::format(
        "give the unit the server's own command, in {}/10-command.conf: [Service], "
        "ExecStart=, ExecStart=PROGRAM ARGUMENTS; then systemctl daemon-reload. Or "
        "choose the program there yourself and set service.binary: null in the "
        "profile",
        dropInDirectory(unit));
}

std::vector<std::string> loadedCommand(const ServerCommand& found,
                                       const std::string& binary) {
    if (!found.line.plain()) {
        return {};
    }
    std::vector<std::string> words = found.line.command();
    words[found.place] = loadedProgram(found.place, binary);
    return words;
}

}  // namespace

bool managesEnvironment(const profile::ServiceSettings& settings) {
    return settings.manageEnvironment && !settings.environment.empty();
}

bool needsDropIn(const profile::ServiceSettings& settings) {
    return !settings.binary.empty() || settings.limitMemlock ||
           managesEnvironment(settings);
}

std::string dropInDirectory(std::string_view unit) {
    return fmt::format("{}/{}.d", kUnitDirectory, unit);
}

std::string dropInPath(std::string_view unit) {
    return fmt::format("{}/{}", dropInDirectory(unit), kDropInName);
}

std::string managedEnvironmentPath(std::string_view unit) {
    return fmt::format("{}/{}.env", kManagedDirectory, unit);
}

bool sortsAfterOurs(std::string_view path) {
    return path.substr(path.rfind('/') + 1) > kDropInName;
}

WantedDropIn makeDropIn(const profile::ServiceSettings& settings,
                        const UnitLists& lists) {
    WantedDropIn wanted;
    std::string unitPart;
    std::string servicePart;
    const auto found = serverCommandOf(lists.execStart, settings.binary);
    if (found) {
        wanted.program = found->program();
    }
    if (!settings.binary.empty()) {
        if (!found) {
            wanted.refusal = found.error();
            wanted.fix = ownCommandFix(settings.unit);
            return wanted;
        }
        wanted.place = found->place;
        wanted.command = loadedCommand(*found, settings.binary);
        unitPart = remade(lists.asserts, wanted.program, settings.binary);
        if (namesProgram(lists.conditions, wanted.program)) {
            unitPart += remade(lists.conditions, wanted.program, settings.binary);
        }
        servicePart = "ExecStart=\nExecStart=" +
                      withProgram(found->line, found->place, settings.binary) + "\n";
    }
    if (settings.limitMemlock) {
        servicePart += "LimitMEMLOCK=" + limitText(*settings.limitMemlock) + "\n";
    }
    if (managesEnvironment(settings)) {
        servicePart +=
            "EnvironmentFile=" + managedEnvironmentPath(settings.unit) + "\n";
    }
    if (!servicePart.empty()) {
        wanted.text = std::string(kHeader) +
                      (unitPart.empty() ? "" : "[Unit]\n" + unitPart + "\n") +
                      "[Service]\n" + servicePart;
    }
    if (joinsLines(wanted.text)) {
        wanted.text.clear();
        wanted.refusal =
            "a command or check of the unit's own files ends with a backslash, which "
            "no line of a drop-in can repeat";
    }
    return wanted;
}

Value settingsOf(std::string_view text) {
    Value::List lines;
    for (const UnitSetting& setting : parseUnitFile(text)) {
        lines.emplace_back(setting.key + "=" + setting.value);
    }
    return lines;
}

}  // namespace fabric::resource::service
