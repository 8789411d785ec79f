// SPDX-License-Identifier: Apache-2.0
#include "cli/shown_plan.hpp"

#include "base/text.hpp"
#include "cli/loading.hpp"
#include "engine/run.hpp"
#include "report/plan_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabric::cli {

namespace {

using engine::Outcome;
using engine::PlannedProperty;
using engine::PlannedStep;
using engine::PlanRecord;
using engine::Report;
using engine::ResourceReport;
using resource::Assessment;

Outcome outcomeOf(std::string_view state) {
    for (const Outcome outcome : {Outcome::inSync,
                                  Outcome::changed,
                                  Outcome::drifted,
                                  Outcome::failed,
                                  Outcome::unsupported,
                                  Outcome::skipped,
                                  Outcome::notApplicable}) {
        if (toString(outcome) == state) {
            return outcome;
        }
    }
    return Outcome::unreadable;
}

resource::Disturbs disturbsOf(std::string_view word) {
    for (const auto disturbs :
         {resource::Disturbs::none, resource::Disturbs::traffic}) {
        if (toString(disturbs) == word) {
            return disturbs;
        }
    }
    return resource::Disturbs::link;
}

// "dcb/rail0/pfc": of what kind, at what, which property. Of a rail also its name.
Assessment assessmentOf(const PlannedProperty& property) {
    const std::string& id = property.id;
    Assessment assessment{.id = id};
    const auto first = std::min(id.find('/'), id.size());
    const auto last = id.rfind('/');
    assessment.kind =
        resource::parseKind(id.substr(0, first)).value_or(resource::Kind::rails);
    const bool three = last != std::string::npos && last > first;
    assessment.device = first == id.size() ? "" : id.substr(first + 1);
    assessment.property = resource::toString(assessment.kind);
    if (three) {
        assessment.device = id.substr(first + 1, last - first - 1);
        assessment.property = id.substr(last + 1);
    }
    assessment.rail =
        engine::isHostWide(assessment.kind) || assessment.kind == resource::Kind::rails
            ? ""
            : assessment.device;
    assessment.wanted = property.wanted;
    assessment.found = property.found;
    return assessment;
}

// The report that the plan was made of, as far as it holds one: neither findings nor
// reasons are kept.
Report reportOf(const PlanRecord& plan) {
    Report report;
    report.command = "plan";
    report.profilePath = plan.profile.empty() ? "" : plan.profile.front().path;
    report.host = plan.host;
    report.bootId = plan.bootId;
    std::map<std::string_view, const PlannedStep*> stepOf;
    for (const PlannedStep& step : plan.steps) {
        report.steps.push_back({.rail = step.rail,
                                .disturbs = disturbsOf(step.disturbs),
                                .summary = step.summary,
                                .ids = step.ids});
        for (const std::string& id : step.ids) {
            stepOf.emplace(id, &step);
        }
    }
    for (const PlannedProperty& property : plan.properties) {
        ResourceReport one{.assessment = assessmentOf(property),
                           .outcome = outcomeOf(property.state),
                           .after = {}};
        if (const auto step = stepOf.find(property.id); step != stepOf.end()) {
            one.assessment.rail = step->second->rail;
            one.assessment.disturbs = disturbsOf(step->second->disturbs);
        }
        report.resources.push_back(std::move(one));
    }
    return report;
}

// Why it is not carried out any more, one by one; empty: it would be.
std::vector<std::string> changesSince(const host::Reader& reader,
                                      const engine::PlanRecord& plan,
                                      const Options& options) {
    if (auto other = engine::notForHere(plan, inventory::observePlatform(reader))) {
        return {other->detail};
    }
    const auto profile = loadProfile(reader.files, options);
    if (!profile) {
        return {profile.error().front().text()};
    }
    auto files = engine::hashesOf(reader.files, *profile);
    if (auto other = engine::otherProfile(plan, files)) {
        return {other->detail};
    }
    const engine::Report now = engine::plan(reader, *profile, plan.run);
    if (now.stopped) {
        return {now.stopped->message()};
    }
    if (!now.errors.empty()) {
        return {now.errors.front().text()};
    }
    return engine::movedOn(
        plan, report::asWritten(engine::recordPlan(now, std::move(files), plan.run)));
}

std::string optionsText(const engine::RunOptions& run) {
    std::string text;
    for (const resource::Kind kind : run.only) {
        text += (text.empty() ? " --only " : ",") + std::string(toString(kind));
    }
    text += run.rail.empty() ? "" : " --rail " + run.rail;
    if (run.maxDisruption) {
        text += " --max-disruption " + std::string(toString(*run.maxDisruption));
    }
    return text + (run.oneAtATime ? " --one-at-a-time" : "");
}

resource::Finding verdict(const std::vector<std::string>& changes,
                          const std::string& path) {
    if (changes.empty()) {
        return {.id = "plan.holds",
                .severity = resource::Severity::info,
                .summary = "host and profile are as this plan saw them",
                .evidence = {},
                .fix = "to carry it out: fabricctl apply " + path};
    }
    return {.id = "plan.outdated",
            .severity = resource::Severity::warn,
            .summary = "this plan is not carried out any more",
            .evidence = fmt::format("{}", fmt::join(changes, "; ")),
            .fix = "make it again with 'fabricctl plan --out'"};
}

}  // namespace

engine::Report shownPlan(const host::Reader& reader,
                         const engine::PlanRecord& plan,
                         const Options& given) {
    Options options = given;
    options.profilePath = plan.profile.front().path;
    engine::Report report = reportOf(plan);
    report.started = reader.clock.wallTime();
    report.findings.push_back(
        {.id = "plan.file",
         .severity = resource::Severity::info,
         .summary = fmt::format(
             "{} was made on {} at {}", given.profilePath, plan.host, plan.made),
         .evidence = fmt::format(
             "fabricctl plan{} {}", optionsText(plan.run), options.profilePath),
         .fix = {}});
    report.findings.push_back(
        verdict(changesSince(reader, plan, options), given.profilePath));
    return report;
}

}  // namespace fabric::cli
