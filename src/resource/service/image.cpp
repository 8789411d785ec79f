// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/rail_property.hpp"
#include "resource/service/compare.hpp"
#include "resource/service/left_over.hpp"
#include "resource/service/observe_environment.hpp"
#include "resource/service/service.hpp"
#include "resource/service/unit_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

namespace fabric::resource::service {

namespace {

using profile::ServiceSettings;

// What is in force can be told from the files, since nothing but them will be there.
bool isOfFiles(std::string_view property, const ServiceSettings& settings) {
    return property == "drop-in" || property == "exec-start" ||
           property == "limit-memlock" ||
           (property == "environment" && managesEnvironment(settings));
}

Assessment missing(const ServiceSettings& settings, const host::ServiceUnit& unit) {
    Assessment assessment = serviceProperty(settings, "drop-in");
    const std::string name = escapeForTerminal(settings.unit);
    assessment.verdict = Verdict::differs;
    if (unit.loadState == "masked") {
        const std::string path = escapeForTerminal(unit.fragmentPath);
        assessment.reason = fmt::format("{} is masked in this image by {}", name, path);
        assessment.fix = fmt::format(
            "rm {} in the image (systemctl --root=DIR unmask {})", path, name);
        return assessment;
    }
    assessment.reason = name + " is missing in this image";
    assessment.fix = "install the package that brings it first";
    return assessment;
}

// What the host adds to the image before it starts cannot be missed yet.
void forgetAbsentSources(State& state) {
    std::erase_if(state.environment, [](const EnvironmentSource& source) {
        return source.error && source.error->sysErrno == ENOENT;
    });
}

// As systemd will have loaded them.
std::vector<host::ServiceAssert> assertsOf(const std::vector<UnitFile>& files) {
    std::vector<host::ServiceAssert> asserts;
    for (const auto& [type, value] : mergeLists(files).asserts) {
        const std::size_t start =
            std::min(value.find_first_not_of("|! \t"), value.size());
        const std::string_view prefix = std::string_view(value).substr(0, start);
        asserts.push_back({.type = type,
                           .trigger = prefix.contains('|'),
                           .negate = prefix.contains('!'),
                           .parameter = value.substr(start)});
    }
    return asserts;
}

// An image that holds little lacks them; a running systemd has them.
std::vector<std::string> missingDirectories(const host::FileReader& files) {
    std::vector<std::string> missing{"/etc", "/etc/systemd", "/etc/systemd/system"};
    std::erase_if(missing, [&](const std::string& path) {
        const auto status = files.status(path);
        return status || status.error().sysErrno != ENOENT;
    });
    return missing;
}

Result<State> observeImage(const host::Reader& image, const ServiceSettings& settings) {
    State state{.unit = locateUnit(image.files, settings.unit), .image = true};
    if (state.unit.loadState != "loaded") {
        return state;
    }
    TRY(observeFiles(image, settings, state));
    state.missingDirectories = missingDirectories(image.files);
    std::vector<UnitFile> files = state.below;
    if (state.ours) {
        files.push_back({.path = dropInPath(settings.unit),
                         .settings = parseUnitFile(*state.ours)});
    }
    std::ranges::copy(state.above, std::back_inserter(files));
    applyFiles(files, state.unit);
    state.unit.asserts = assertsOf(files);
    const auto limit = limitOf(files);
    state.limitUnset = !limit;
    state.unit.limitMemlock = limit.value_or(host::ResourceLimit{});
    observeEnvironment(image.files, state);
    forgetAbsentSources(state);
    return state;
}

Comparison compareFiles(const ServiceSettings& settings, const State& state) {
    Comparison result;
    if (state.unit.loadState != "loaded") {
        result.assessments.push_back(missing(settings, state.unit));
        return result;
    }
    const Look look{.settings = settings,
                    .state = state,
                    .wanted = makeDropIn(settings, mergeLists(state.below))};
    std::optional<Assessment> environment;
    if (managesEnvironment(settings)) {
        environment = compareEnvironment(look);
    }
    result = compareConfiguration(look, environment ? &*environment : nullptr);
    addShadow(look, result.findings);
    addAssert(look, result.findings);
    if (environment) {
        result.assessments.push_back(std::move(*environment));
    }
    return result;
}

Comparison compareImage(const host::Reader& image,
                        const Scope& scope,
                        const ServiceSettings& settings) {
    if (!needsDropIn(settings)) {
        return {};
    }
    const auto state = observeImage(image, settings);
    if (state) {
        return compareFiles(settings, *state);
    }
    Comparison result;
    Assessment assessment = serviceProperty(settings, "drop-in");
    cannotRead(state.error(), scope.platform, assessment);
    result.assessments.push_back(std::move(assessment));
    return result;
}

// What no file tells, in the order of the properties.
void addDeferred(const ServiceSettings& settings, Comparison& result) {
    const auto known = [&](const std::string& id) {
        return std::ranges::find(result.assessments, id, &Assessment::id) !=
               result.assessments.end();
    };
    for (const std::string_view property : ownedProperties(settings)) {
        Assessment assessment = serviceProperty(settings, property);
        if (known(assessment.id)) {
            continue;
        }
        assessment.verdict = Verdict::skipped;
        assessment.reason = isOfFiles(property, settings)
                                ? "the unit's files have to be there first"
                                : "deferred to boot: only a running systemd can tell";
        result.assessments.push_back(std::move(assessment));
    }
}

}  // namespace

Comparison assessImage(const host::Reader& image, const Scope& scope) {
    Comparison result;
    if (scope.host.service) {
        result = compareImage(image, scope, *scope.host.service);
        addDeferred(*scope.host.service, result);
    }
    std::ranges::move(leftOvers(image.files, scope.host.service, true),
                      std::back_inserter(result.findings));
    return result;
}

}  // namespace fabric::resource::service
