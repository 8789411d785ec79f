// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/rail_property.hpp"
#include "resource/service/compare.hpp"
#include "resource/service/service.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

namespace fabric::resource::service {

namespace {

using profile::ServiceSettings;

// systemd.unit(5), of what an image can have: the earlier hides the later.
constexpr std::array<std::string_view, 4> kDirectories{"/etc/systemd/system",
                                                       "/usr/local/lib/systemd/system",
                                                       "/usr/lib/systemd/system",
                                                       "/lib/systemd/system"};

// Which files systemd will read for the unit, found as it finds them.
host::ServiceUnit locate(const host::FileReader& files, const std::string& name) {
    host::ServiceUnit unit{.name = name, .loadState = "not-found"};
    std::map<std::string, std::string> dropIns;  // by file name
    for (const std::string& below : {name, std::string("service")}) {
        for (const std::string_view directory : kDirectories) {
            const std::string path = fmt::format("{}/{}.d", directory, below);
            const auto names = files.list(path);
            for (const std::string& file : names.value_or(std::vector<std::string>{})) {
                if (file.ends_with(".conf")) {
                    dropIns.emplace(file, path + "/" + file);
                }
            }
        }
    }
    for (const std::string_view directory : kDirectories) {
        const std::string path = fmt::format("{}/{}", directory, name);
        if (unit.fragmentPath.empty() && files.readLink(path) == "/dev/null") {
            unit.loadState = "masked";
            return unit;
        }
        if (unit.fragmentPath.empty() && files.status(path)) {
            unit.fragmentPath = path;
            unit.loadState = "loaded";
        }
    }
    for (const auto& [file, path] : dropIns) {
        unit.dropInPaths.push_back(path);
    }
    return unit;
}

Assessment judged(const Look& look) {
    Assessment assessment = serviceProperty(look.settings, "drop-in");
    assessment.wanted = settingsOf(look.wanted.text);
    assessment.found = look.state.ours ? settingsOf(*look.state.ours) : Value{};
    if (!look.refusal().empty()) {
        assessment.verdict = Verdict::failed;
        assessment.reason = "not written: " + look.refusal();
        assessment.fix = look.state.binary.fix;
        return assessment;
    }
    const bool same =
        look.state.ours == look.wanted.text &&
        (look.managedText().empty() || look.state.managed == look.managedText());
    assessment.verdict = same ? Verdict::inSync : Verdict::differs;
    assessment.reason =
        same ? "" : dropInPath(look.settings.unit) + " is not as the profile makes it";
    return assessment;
}

Step stepFor(const Look& look, const std::string& id) {
    const std::string& unit = look.settings.unit;
    Step step{
        .stage = Stage::service, .summary = "write " + dropInPath(unit), .ids = {id}};
    if (const std::string text = look.managedText(); !text.empty()) {
        const std::string path = managedEnvironmentPath(unit);
        step.writes.emplace_back(DirectoryCreate{path.substr(0, path.rfind('/'))});
        step.writes.emplace_back(FileReplace{.path = path, .text = text});
    }
    step.writes.emplace_back(DirectoryCreate{dropInDirectory(unit)});
    step.writes.emplace_back(
        FileReplace{.path = dropInPath(unit), .text = look.wanted.text});
    return step;
}

Assessment missing(const ServiceSettings& settings, const host::ServiceUnit& unit) {
    Assessment assessment = serviceProperty(settings, "drop-in");
    assessment.verdict = Verdict::differs;
    assessment.reason = fmt::format("{} is {} in this image",
                                    escapeForTerminal(settings.unit),
                                    unit.loadState == "masked" ? "masked" : "missing");
    assessment.fix = "install the package that brings it first";
    return assessment;
}

void addDropIn(const host::Reader& image,
               const Scope& scope,
               const ServiceSettings& settings,
               Comparison& result) {
    State state{.unit = locate(image.files, settings.unit)};
    if (state.unit.loadState != "loaded") {
        result.assessments.push_back(missing(settings, state.unit));
        return;
    }
    if (const auto read = observeFiles(image, settings, state); !read) {
        Assessment assessment = serviceProperty(settings, "drop-in");
        cannotRead(read.error(), scope.platform, assessment);
        result.assessments.push_back(std::move(assessment));
        return;
    }
    const Look look{.settings = settings,
                    .state = state,
                    .wanted = makeDropIn(settings, mergeLists(state.below))};
    Assessment assessment = judged(look);
    if (assessment.verdict == Verdict::differs) {
        result.steps.push_back(stepFor(look, assessment.id));
    }
    result.assessments.push_back(std::move(assessment));
}

}  // namespace

Comparison assessImage(const host::Reader& image, const Scope& scope) {
    Comparison result;
    if (!scope.host.service) {
        return result;
    }
    const ServiceSettings& settings = *scope.host.service;
    for (const std::string_view property : ownedProperties(settings)) {
        if (property == "drop-in") {
            addDropIn(image, scope, settings, result);
            continue;
        }
        Assessment assessment = serviceProperty(settings, property);
        assessment.verdict = Verdict::skipped;
        assessment.reason = "deferred to boot: only a running systemd can tell";
        result.assessments.push_back(std::move(assessment));
    }
    return result;
}

}  // namespace fabric::resource::service
