// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/rail_property.hpp"
#include "resource/service/compare.hpp"
#include "resource/service/left_over.hpp"
#include "resource/service/service.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace fabric::resource::service {

namespace {

using profile::ServiceSettings;

Comparison everyProperty(const ServiceSettings& settings,
                         Verdict verdict,
                         const std::string& reason,
                         const std::string& fix) {
    Comparison result;
    for (const std::string_view property : ownedProperties(settings)) {
        Assessment assessment = serviceProperty(settings, property);
        assessment.verdict = verdict;
        assessment.reason = reason;
        assessment.fix = fix;
        result.assessments.push_back(std::move(assessment));
    }
    return result;
}

// Without --runtime systemctl leaves a mask in /run where it is.
std::string unmask(const std::string& name, const host::ServiceUnit& unit) {
    const bool runtime = unit.unitFileState == "masked-runtime" ||
                         unit.fragmentPath.starts_with("/run/");
    return fmt::format("systemctl unmask {}{}", runtime ? "--runtime " : "", name);
}

// What cannot be configured at all: no such unit, or a masked one.
Comparison noSuchUnit(const ServiceSettings& settings, const host::ServiceUnit& unit) {
    const bool masked = unit.loadState == "masked";
    return everyProperty(
        settings,
        Verdict::differs,
        masked ? settings.unit + " is masked"
               : "systemd knows no unit " + escapeForTerminal(settings.unit),
        masked ? unmask(settings.unit, unit)
               : "install the package that brings it, or correct service.unit in the "
                 "profile");
}

Comparison compare(const ServiceSettings& settings, const State& state) {
    const std::string& load = state.unit.loadState;
    if (load == "not-found" || load == "masked") {
        return noSuchUnit(settings, state.unit);
    }
    const Look look{.settings = settings,
                    .state = state,
                    .wanted = makeDropIn(settings, mergeLists(state.below))};
    std::optional<Assessment> environment;
    if (!settings.environment.empty()) {
        environment = compareEnvironment(look);
    }
    const Assessment* const seen = environment ? &*environment : nullptr;
    Comparison all = compareConfiguration(look, seen);
    if (environment) {
        all.assessments.push_back(*environment);
    }
    const bool configuring = !all.steps.empty();
    all.append(compareProcess(look, seen, configuring));
    std::ranges::move(hazardsOf(look), std::back_inserter(all.findings));
    return all;
}

}  // namespace

Assessment serviceProperty(const ServiceSettings& settings, std::string_view property) {
    return {.id = fmt::format("service/{}/{}", settings.unit, property),
            .kind = Kind::service,
            .device = settings.unit,
            .property = std::string(property)};
}

std::vector<std::string_view> ownedProperties(const ServiceSettings& settings) {
    std::vector<std::string_view> properties;
    if (needsDropIn(settings)) {
        properties.emplace_back("drop-in");
    }
    if (!settings.binary.empty()) {
        properties.emplace_back("exec-start");
    }
    if (settings.limitMemlock) {
        properties.emplace_back("limit-memlock");
    }
    if (!settings.environment.empty()) {
        properties.emplace_back("environment");
    }
    properties.emplace_back("process");
    return properties;
}

Value limitValue(const host::ResourceLimit& limit) {
    const auto one = [](std::uint64_t bytes) {
        return bytes == host::kNoLimit ? Value("infinity")
                                       : Value(static_cast<std::int64_t>(bytes));
    };
    return limit.soft == limit.hard ? one(limit.soft)
                                    : Value(Value::Object{{"soft", one(limit.soft)},
                                                          {"hard", one(limit.hard)}});
}

host::ResourceLimit wantedLimit(const profile::MemlockLimit& limit) {
    const std::uint64_t bytes = limit.bytes ? limit.bytes->count : host::kNoLimit;
    return {.soft = bytes, .hard = bytes};
}

namespace {

Comparison assessUnit(const host::Reader& host,
                      const Scope& scope,
                      const ServiceSettings& settings) {
    if (host.services == nullptr) {
        return everyProperty(settings,
                             Verdict::unreadable,
                             "this run has no way to ask the service manager",
                             "");
    }
    const auto state = observe(host, settings);
    if (!state) {
        Assessment unread;
        cannotRead(state.error(), scope.platform, unread);
        return everyProperty(settings, Verdict::unreadable, unread.reason, unread.fix);
    }
    return compare(settings, *state);
}

}  // namespace

Comparison assess(const host::Reader& host, const Scope& scope) {
    Comparison result;
    if (scope.host.service) {
        result = assessUnit(host, scope, *scope.host.service);
    }
    if (scope.hostWide) {
        std::ranges::move(leftOvers(host.files, scope.host.service, false),
                          std::back_inserter(result.findings));
    }
    return result;
}

}  // namespace fabric::resource::service
