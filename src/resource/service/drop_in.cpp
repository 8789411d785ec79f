// SPDX-License-Identifier: Apache-2.0
#include "resource/service/drop_in.hpp"

#include "resource/service/exec_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kHeader =
    "# Written by fabricctl from the unit's other files and its profile. The next\n"
    "# 'fabricctl apply' undoes a change made here; fabricctl-profile(5), service.\n";

// "|" and "!" in front of a path belong to the check, not to the path.
std::string pathOfCheck(const std::string& value) {
    const std::size_t begin = value.find_first_not_of("|!");
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

std::string limitText(const profile::MemlockLimit& limit) {
    return limit.bytes ? std::to_string(limit.bytes->count) : "infinity";
}

}  // namespace

std::string dropInDirectory(std::string_view unit) {
    return fmt::format("/etc/systemd/system/{}.d", unit);
}

std::string dropInPath(std::string_view unit) {
    return fmt::format("{}/{}", dropInDirectory(unit), kDropInName);
}

std::string managedEnvironmentPath(std::string_view unit) {
    return fmt::format("/etc/fabricctl/{}.env", unit);
}

bool sortsAfterOurs(std::string_view path) {
    return path.substr(path.rfind('/') + 1) > kDropInName;
}

WantedDropIn makeDropIn(const profile::ServiceSettings& settings,
                        const UnitLists& lists) {
    WantedDropIn wanted;
    std::string unitPart;
    std::string servicePart;
    const auto line = lists.execStart.size() == 1
                          ? parseExecLine(lists.execStart.front())
                          : std::nullopt;
    wanted.program = line ? line->program : "";
    if (!settings.binary.empty()) {
        if (!line) {
            wanted.refusal = fmt::format(
                "the unit's own files give {} ExecStart commands and not one that can "
                "be given another program",
                lists.execStart.size());
            return wanted;
        }
        unitPart = remade(lists.asserts, line->program, settings.binary);
        if (namesProgram(lists.conditions, line->program)) {
            unitPart += remade(lists.conditions, line->program, settings.binary);
        }
        servicePart =
            "ExecStart=\nExecStart=" + withProgram(*line, settings.binary) + "\n";
    }
    if (settings.limitMemlock) {
        servicePart += "LimitMEMLOCK=" + limitText(*settings.limitMemlock) + "\n";
    }
    if (settings.manageEnvironment && !settings.environment.empty()) {
        servicePart +=
            "EnvironmentFile=" + managedEnvironmentPath(settings.unit) + "\n";
    }
    if (!servicePart.empty()) {
        wanted.text = std::string(kHeader) +
                      (unitPart.empty() ? "" : "[Unit]\n" + unitPart + "\n") +
                      "[Service]\n" + servicePart;
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
