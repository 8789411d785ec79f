// SPDX-License-Identifier: Apache-2.0
#include "resource/service/unit_search.hpp"

#include "resource/service/exec_line.hpp"
#include "resource/service/limit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kSuffix = ".service";

// systemd.unit(5) and 'systemd-analyze unit-paths': the earlier hides the later.
constexpr std::array<std::string_view, 13> kDirectories{"/etc/systemd/system.control",
                                                        "/run/systemd/system.control",
                                                        "/run/systemd/transient",
                                                        "/run/systemd/generator.early",
                                                        "/etc/systemd/system",
                                                        "/etc/systemd/system.attached",
                                                        "/run/systemd/system",
                                                        "/run/systemd/system.attached",
                                                        "/run/systemd/generator",
                                                        "/usr/local/lib/systemd/system",
                                                        "/usr/lib/systemd/system",
                                                        "/lib/systemd/system",
                                                        "/run/systemd/generator.late"};

std::vector<std::string_view> directoriesOf(SearchIn place) {
    std::vector<std::string_view> directories(kDirectories.begin(), kDirectories.end());
    if (place == SearchIn::image) {
        std::erase_if(directories, [](std::string_view directory) {
            return directory.starts_with("/run/");
        });
    }
    return directories;
}

// "minio@.service" of "minio@1.service", "" of a unit that is no instance.
std::string templateOf(const std::string& unit) {
    const std::size_t at = unit.find('@');
    const bool instance =
        at != std::string::npos && at + 1 + kSuffix.size() < unit.size();
    return instance ? unit.substr(0, at + 1) + std::string(kSuffix) : "";
}

// "foo-bar-" of "foo-bar-baz", "foo-" of "foo-bar-", "" when there is no dash left.
std::string_view chopped(std::string_view prefix) {
    while (prefix.ends_with('-')) {
        prefix.remove_suffix(1);
    }
    const std::size_t dash = prefix.rfind('-');
    return dash == std::string_view::npos ? std::string_view{}
                                          : prefix.substr(0, dash + 1);
}

// What systemd 252 searches (src/shared/dropin.c, unit_file_find_dirs()). Shortened at
// its dash, an instance stays one, while a template loses its "@": "mi-nio@.service"
// has mi-.service.d and not mi-@.service.d, which comes after mi-@1.service.d of the
// instance.
void addNames(const std::string& unit, std::vector<std::string>& names) {
    if (std::ranges::find(names, unit) != names.end()) {
        return;
    }
    names.push_back(unit);
    if (const std::string of = templateOf(unit); !of.empty()) {
        addNames(of, names);
    }
    const std::size_t end = std::min(unit.find('@'), unit.size() - kSuffix.size());
    const std::string_view shorter = chopped(std::string_view(unit).substr(0, end));
    if (!shorter.empty()) {
        const bool instance = !templateOf(unit).empty();
        addNames(
            std::string(shorter) + (instance ? unit.substr(end) : std::string(kSuffix)),
            names);
    }
}

// Also of a link such as "../../../dev/null", which an image that has no /dev yet
// cannot follow.
bool leadsToNull(const host::FileReader& files, const std::string& path) {
    const auto target = files.readLink(path);
    return target &&
           (std::filesystem::path(path).parent_path() / *target).lexically_normal() ==
               "/dev/null";
}

// True when this ends the search: the name is masked or found.
bool takeFragment(const host::FileReader& files,
                  const std::string& path,
                  host::ServiceUnit& unit) {
    const auto status = files.status(path);
    const bool nothing =
        status && status->type == host::FileStatus::Type::regular && status->size == 0;
    if (leadsToNull(files, path) || nothing) {
        unit.loadState = "masked";
    } else if (status) {
        unit.loadState = "loaded";
    } else {
        return false;
    }
    unit.fragmentPath = path;
    return true;
}

void findFragment(const host::FileReader& files,
                  const std::vector<std::string_view>& directories,
                  host::ServiceUnit& unit) {
    for (const std::string& name : {unit.name, templateOf(unit.name)}) {
        for (const std::string_view directory : directories) {
            if (!name.empty() &&
                takeFragment(files, fmt::format("{}/{}", directory, name), unit)) {
                return;
            }
        }
    }
}

bool isSearched(const host::FileReader& files, const std::string& directory) {
    return searchRank(directory) ||
           std::ranges::any_of(kDirectories, [&](std::string_view one) {
               return files.resolve(one).value_or("") == directory;
           });
}

// Of an alias also those of the unit that it stands for.
std::vector<std::string> allDropInNames(const host::FileReader& files,
                                        const host::ServiceUnit& unit) {
    std::vector<std::string> names = dropInNames(unit.name);
    const std::string real = files.resolve(unit.fragmentPath).value_or("");
    const std::size_t slash = real.rfind('/') + 1;
    const std::string name = real.substr(slash);
    // A link that leads out of the search is the unit itself ('systemctl link').
    if (name.ends_with(kSuffix) && name.size() > kSuffix.size() &&
        isSearched(files, real.substr(0, slash - 1))) {
        addNames(name, names);
    }
    return names;
}

// Names under which systemd loads the same file, and whose drop-ins it reads for it.
void addAliases(const host::FileReader& files,
                const std::vector<std::string_view>& directories,
                const host::ServiceUnit& unit,
                std::vector<std::string>& names) {
    const auto real = files.resolve(unit.fragmentPath);
    for (const std::string_view directory : directories) {
        const auto entries = files.list(std::string(directory));
        for (const std::string& name : entries.value_or(std::vector<std::string>{})) {
            const std::string path = fmt::format("{}/{}", directory, name);
            const bool isAlias = real && name.ends_with(kSuffix) &&
                                 name.size() > kSuffix.size() && files.readLink(path) &&
                                 files.resolve(path).value_or("") == *real;
            if (isAlias) {
                addNames(name, names);
            }
        }
    }
}

void findDropIns(const host::FileReader& files,
                 const std::vector<std::string_view>& directories,
                 SearchIn place,
                 host::ServiceUnit& unit) {
    std::map<std::string, std::string> byName;
    const auto look = [&](std::string_view directory, const std::string& name) {
        const std::string path = fmt::format("{}/{}.d", directory, name);
        const auto entries = files.list(path);
        for (const std::string& file : entries.value_or(std::vector<std::string>{})) {
            // An editor's copy of a file begins with a dot; systemd passes it over.
            if (file.ends_with(".conf") && !file.starts_with('.')) {
                byName.emplace(file, path + "/" + file);
            }
        }
    };
    std::vector<std::string> names = allDropInNames(files, unit);
    // On a running host systemd itself names what it reads for an alias.
    if (place == SearchIn::image) {
        addAliases(files, directories, unit, names);
    }
    for (const std::string_view directory : directories) {
        for (const std::string& name : names) {
            look(directory, name);
        }
    }
    for (const std::string_view directory : directories) {
        look(directory, "service");
    }
    for (auto& [file, path] : byName) {
        unit.dropInPaths.push_back(std::move(path));
    }
}

// "%%" is a percent sign; other specifiers stay as written.
std::string withPercent(std::string word) {
    for (std::size_t at = word.find("%%"); at != std::string::npos;
         at = word.find("%%", at + 1)) {
        word.erase(at, 1);
    }
    return word;
}

host::ServiceCommand commandOf(const std::string& value) {
    const auto line = parseExecLine(value);
    if (!line) {
        return {.path = value, .arguments = {value}};
    }
    host::ServiceCommand command{.path = withPercent(line->words.front().text)};
    for (const std::string& word : line->command()) {
        command.arguments.push_back(withPercent(word));
    }
    return command;
}

void takeEnvironmentFile(const std::string& value, host::ServiceUnit& unit) {
    if (value.empty()) {
        unit.environmentFiles.clear();
        return;
    }
    const bool optional = value.starts_with('-');
    unit.environmentFiles.push_back(
        {.path = value.substr(optional ? 1 : 0), .optional = optional});
}

}  // namespace

std::optional<std::size_t> searchRank(std::string_view directory) {
    const auto* const found = std::ranges::find(kDirectories, directory);
    return found == kDirectories.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - kDirectories.begin()));
}

std::vector<std::string> dropInNames(const std::string& unit) {
    std::vector<std::string> names;
    addNames(unit, names);
    return names;
}

host::ServiceUnit locateUnit(const host::FileReader& files,
                             const std::string& name,
                             SearchIn place) {
    host::ServiceUnit unit{.name = name, .loadState = "not-found"};
    const std::vector<std::string_view> directories = directoriesOf(place);
    findFragment(files, directories, unit);
    if (unit.loadState == "loaded") {
        findDropIns(files, directories, place, unit);
    }
    return unit;
}

void applyFiles(const std::vector<UnitFile>& files, host::ServiceUnit& unit) {
    for (const std::string& value : mergeLists(files).execStart) {
        unit.execStart.push_back(commandOf(value));
    }
    for (const UnitFile& file : files) {
        for (const UnitSetting& setting : file.settings) {
            if (setting.section == "Service" && setting.key == "EnvironmentFile") {
                takeEnvironmentFile(setting.value, unit);
            }
        }
    }
}

std::optional<host::ResourceLimit> limitOf(const std::vector<UnitFile>& files) {
    std::optional<host::ResourceLimit> limit;
    for (const UnitFile& file : files) {
        for (const UnitSetting& setting : file.settings) {
            if (setting.section == "Service" && setting.key == "LimitMEMLOCK") {
                const auto one = parseLimit(setting.value);
                // An empty value is the manager's own limit again.
                limit = one || setting.value.empty() ? one : limit;
            }
        }
    }
    return limit;
}

}  // namespace fabric::resource::service
