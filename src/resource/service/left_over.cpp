// SPDX-License-Identifier: Apache-2.0
#include "resource/service/left_over.hpp"

#include "base/text.hpp"
#include "resource/service/drop_in.hpp"
#include "resource/service/environment_file.hpp"
#include "resource/service/unit_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::resource::service {

namespace {

using profile::ServiceSettings;

constexpr std::string_view kDropInSuffix = ".service.d";
constexpr std::string_view kEnvironmentSuffix = ".service.env";
// Both files begin with it.
constexpr std::string_view kMark = "# Written by fabricctl";

// Names in unit directories may hold what a shell takes for its own.
std::string shellWord(std::string_view text) {
    constexpr std::string_view kPlain = "/._-@:+";
    const bool plain = std::ranges::all_of(text, [&](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || kPlain.contains(letter);
    });
    const std::string shown = escapeForTerminal(text);
    return plain ? shown : "'" + shown + "'";
}

struct Ours {
    std::string path;
    std::string unit;
    std::string text;
};

// Files of ours, one for each name in `directory` that ends with `suffix`.
std::vector<Ours> findOurs(const host::FileReader& files,
                           std::string_view directory,
                           std::string_view suffix,
                           std::string_view below) {
    std::vector<Ours> found;
    const auto names = files.list(directory);
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
        if (!name.ends_with(suffix) || name.size() == suffix.size()) {
            continue;
        }
        const std::string path = fmt::format("{}/{}{}", directory, name, below);
        const auto text = files.read(path);
        if (text && text->starts_with(kMark)) {
            found.push_back(
                {.path = path,
                 .unit = name.substr(0, name.size() - suffix.size()) + ".service",
                 .text = *text});
        }
    }
    return found;
}

Finding dropInFinding(const Ours& ours, bool image) {
    const std::string path = shellWord(ours.path);
    return {.id = "service.left-over-drop-in",
            .severity = Severity::warn,
            .summary = fmt::format("{} is of a former profile and still decides how {} "
                                   "starts: this profile does not ask for it",
                                   path,
                                   escapeForTerminal(ours.unit)),
            .evidence = settingsOf(ours.text).toText(),
            .fix = image ? fmt::format("rm {} in the image", path)
                         : fmt::format("rm {} && systemctl daemon-reload; then "
                                       "systemctl restart {}, when its users can do "
                                       "without it",
                                       path,
                                       shellWord(ours.unit))};
}

// What has to go first: a unit whose EnvironmentFile= is gone does not start.
std::string beforeRemoval(const Ours& ours,
                          const host::FileReader& files,
                          const std::optional<ServiceSettings>& settings,
                          bool image) {
    const auto dropIn = files.read(dropInPath(ours.unit));
    if (!dropIn || !dropIn->starts_with(kMark) || !dropIn->contains(ours.path)) {
        return {};
    }
    const bool rewritten =
        settings && settings->unit == ours.unit && needsDropIn(*settings);
    return rewritten
               ? fmt::format("first 'fabricctl apply{}', which takes it out of {}; ",
                             image ? " --root" : "",
                             shellWord(dropInPath(ours.unit)))
               : fmt::format(
                     "first what finding service.left-over-drop-in says of "
                     "{}, which names it; ",
                     shellWord(dropInPath(ours.unit)));
}

Finding environmentFinding(const Ours& ours, const std::string& first, bool image) {
    std::vector<std::string> names;
    for (const auto& [name, value] : parseEnvironmentFile(ours.text)) {
        names.push_back(escapeForTerminal(name));
    }
    const std::string path = shellWord(ours.path);
    return {.id = "service.left-over-environment",
            .severity = Severity::warn,
            .summary = fmt::format("{} is of a former profile: this profile manages no "
                                   "environment of {}, and values in the file may be "
                                   "secrets",
                                   path,
                                   escapeForTerminal(ours.unit)),
            .evidence = fmt::format("it sets {}", fmt::join(names, ", ")),
            .fix = fmt::format("{}{}rm {}{}, when no drop-in of yours names it in "
                               "EnvironmentFile=",
                               first,
                               first.empty() ? "" : "then ",
                               path,
                               image ? " in the image" : "")};
}

}  // namespace

std::vector<Finding> leftOvers(const host::FileReader& files,
                               const std::optional<ServiceSettings>& settings,
                               bool image) {
    std::vector<Finding> findings;
    for (const Ours& ours : findOurs(
             files, kUnitDirectory, kDropInSuffix, "/" + std::string(kDropInName))) {
        if (!settings || settings->unit != ours.unit || !needsDropIn(*settings)) {
            findings.push_back(dropInFinding(ours, image));
        }
    }
    for (const Ours& ours :
         findOurs(files, kManagedDirectory, kEnvironmentSuffix, "")) {
        if (!settings || settings->unit != ours.unit ||
            !managesEnvironment(*settings)) {
            findings.push_back(environmentFinding(
                ours, beforeRemoval(ours, files, settings, image), image));
        }
    }
    return findings;
}

bool holdsLeftOvers(std::string_view directory) {
    return directory == kUnitDirectory || directory == kManagedDirectory;
}

bool mayBeLeftOver(const host::FileReader& files,
                   std::string_view directory,
                   std::string_view name) {
    if (directory == kManagedDirectory) {
        return name.ends_with(kEnvironmentSuffix);
    }
    return name.ends_with(kDropInSuffix) &&
           files.status(fmt::format("{}/{}/{}", directory, name, kDropInName))
               .has_value();
}

}  // namespace fabric::resource::service
