// SPDX-License-Identifier: Apache-2.0
#include "resource/service/unit_file.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace fabric::resource::service {

namespace {

bool isComment(std::string_view line) {
    const std::string_view text = trimmed(line);
    return text.starts_with('#') || text.starts_with(';');
}

// Lines with "\" at their end joined by a space, comments taken out, also those between
// two joined lines.
std::vector<std::string> logicalLines(std::string_view text) {
    std::vector<std::string> lines;
    std::string open;
    bool continued = false;
    for (std::string_view line : split(text, '\n')) {
        if (isComment(line)) {
            continue;
        }
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        // Of two backslashes the first escapes the second.
        const std::size_t end = line.find_last_not_of('\\') + 1;
        continued = (line.size() - end) % 2 == 1;
        open += continued ? line.substr(0, line.size() - 1) : line;
        if (continued) {
            open += ' ';
            continue;
        }
        lines.push_back(std::move(open));
        open.clear();
    }
    if (!open.empty()) {
        lines.push_back(std::move(open));
    }
    return lines;
}

void addTo(Checks& checks, const UnitSetting& setting) {
    if (setting.value.empty()) {
        checks.clear();
    } else {
        checks.emplace_back(setting.key, setting.value);
    }
}

void take(const UnitSetting& setting, UnitLists& lists) {
    if (setting.section == "Unit" && setting.key.starts_with("Assert")) {
        addTo(lists.asserts, setting);
    } else if (setting.section == "Unit" && setting.key.starts_with("Condition")) {
        addTo(lists.conditions, setting);
    } else if (setting.section == "Service" && setting.key == "ExecStart") {
        if (setting.value.empty()) {
            lists.execStart.clear();
        } else {
            lists.execStart.push_back(setting.value);
        }
    }
}

}  // namespace

std::vector<UnitSetting> parseUnitFile(std::string_view text) {
    // As systemd does (src/shared/conf-parser.c, config_parse()).
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    std::vector<UnitSetting> settings;
    std::string section;
    for (const std::string& whole : logicalLines(text)) {
        const std::string_view line = trimmed(whole);
        if (line.starts_with('[') && line.ends_with(']')) {
            section = line.substr(1, line.size() - 2);
            continue;
        }
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos) {
            settings.push_back(
                {.section = section,
                 .key = std::string(trimmed(line.substr(0, equals))),
                 .value = std::string(trimmed(line.substr(equals + 1)))});
        }
    }
    return settings;
}

bool UnitFile::sets(std::string_view section, std::string_view key) const {
    return std::ranges::any_of(settings, [&](const UnitSetting& setting) {
        return setting.section == section && setting.key == key;
    });
}

std::string lastSetter(const std::vector<UnitFile>& files, std::string_view key) {
    std::string path;
    for (const UnitFile& file : files) {
        if (file.sets("Service", key)) {
            path = file.path;
        }
    }
    return path;
}

std::string lastValue(const std::vector<UnitFile>& files, std::string_view key) {
    std::string value;
    for (const UnitFile& file : files) {
        for (const UnitSetting& setting : file.settings) {
            if (setting.section == "Service" && setting.key == key) {
                value = setting.value;
            }
        }
    }
    return value;
}

UnitLists mergeLists(const std::vector<UnitFile>& files) {
    UnitLists lists;
    for (const UnitFile& file : files) {
        for (const UnitSetting& setting : file.settings) {
            take(setting, lists);
        }
    }
    return lists;
}

}  // namespace fabric::resource::service
