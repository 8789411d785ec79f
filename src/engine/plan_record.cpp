// SPDX-License-Identifier: Apache-2.0
#include "engine/plan_record.hpp"

#include "base/text.hpp"
#include "engine/fingerprint.hpp"
#include "engine/fold.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace fabric::engine {

namespace {

using resource::Assessment;
using resource::Step;
using resource::Verdict;

constexpr const char* kAgain = "make the plan again with 'fabricctl plan --out'";

// An entry of the neighbour cache that is not wrong may come and go.
bool comesAndGoes(const Assessment& assessment) {
    return assessment.goneIsAsWanted && (assessment.verdict == Verdict::inSync ||
                                         assessment.verdict == Verdict::notApplicable);
}

PlannedProperty propertyOf(const Assessment& assessment) {
    const auto state = foldObserved({assessment}).front().outcome;
    return {.id = assessment.id,
            .state = std::string(toString(state)),
            .wanted = assessment.wanted,
            .found = assessment.found};
}

std::string digestOf(const std::vector<PlannedProperty>& properties) {
    Fingerprint print;
    for (const PlannedProperty& property : properties) {
        print.add(property.id);
        print.add(property.state);
        print.addValue(property.wanted);
        print.addValue(property.found);
    }
    return print.digest();
}

std::string changeOf(const PlannedProperty& was, const PlannedProperty& now) {
    if (was.found != now.found) {
        return fmt::format("was {}, is {}", was.found.toText(), now.found.toText());
    }
    if (was.wanted != now.wanted) {
        return fmt::format("{} was wanted, {} is wanted now",
                           was.wanted.toText(),
                           now.wanted.toText());
    }
    return was.state == now.state ? ""
                                  : fmt::format("was {}, is {}", was.state, now.state);
}

void compareProperties(const PlanRecord& was,
                       const PlanRecord& now,
                       std::vector<std::string>& changes) {
    std::map<std::string_view, const PlannedProperty*> known;
    for (const PlannedProperty& property : was.properties) {
        known.emplace(property.id, &property);
    }
    for (const PlannedProperty& property : now.properties) {
        const auto before = known.find(property.id);
        const std::string change = before == known.end()
                                       ? "was not there, is " + property.found.toText()
                                       : changeOf(*before->second, property);
        if (!change.empty()) {
            changes.push_back(escapeForTerminal(property.id) + ": " + change);
        }
        known.erase(property.id);
    }
    for (const auto& [id, property] : known) {
        changes.push_back(escapeForTerminal(id) + ": was " + property->found.toText() +
                          ", is gone");
    }
}

bool sameOrder(const PlanRecord& left, const PlanRecord& right) {
    return std::ranges::equal(left.steps,
                              right.steps,
                              {},
                              &PlannedStep::fingerprint,
                              &PlannedStep::fingerprint);
}

// The steps of `left` that `right` has not.
void addStepsOnlyIn(const PlanRecord& left,
                    const PlanRecord& right,
                    std::string_view what,
                    std::vector<std::string>& changes) {
    std::set<std::string_view> others;
    for (const PlannedStep& step : right.steps) {
        others.insert(step.fingerprint);
    }
    for (const PlannedStep& step : left.steps) {
        if (!others.contains(step.fingerprint)) {
            changes.push_back(
                fmt::format("step '{}' {}", escapeForTerminal(step.summary), what));
        }
    }
}

// A table of 64 entries, twice, tells nobody what changed.
std::string shortened(const std::string& change) {
    constexpr std::size_t kLongest = 96;
    if (change.size() <= kLongest) {
        return change;
    }
    std::size_t end = kLongest;  // not within a character of UTF-8
    while (end > 0 && (static_cast<unsigned char>(change[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return change.substr(0, end) + " ...";
}

Error refusal(std::string detail) {
    return {.kind = ErrorKind::refused,
            .action = "carry out the plan",
            .subject = {},
            .sysErrno = 0,
            .detail = std::move(detail),
            .advice = kAgain};
}

}  // namespace

PlanRecord recordPlan(std::span<const Assessment> assessments,
                      std::span<const Step> steps) {
    PlanRecord plan;
    for (const Assessment& assessment : assessments) {
        if (!comesAndGoes(assessment)) {
            plan.properties.push_back(propertyOf(assessment));
        }
    }
    for (const Step& step : steps) {
        plan.steps.push_back({.rail = step.rail,
                              .summary = step.summary,
                              .disturbs = std::string(toString(step.disturbs)),
                              .ids = step.ids,
                              .fingerprint = fingerprintOf(step)});
    }
    plan.observed = digestOf(plan.properties);
    return plan;
}

PlanRecord recordPlan(const Report& report,
                      std::vector<HashedFile> profile,
                      const RunOptions& run) {
    std::vector<Assessment> assessments;
    std::ranges::transform(
        report.resources, std::back_inserter(assessments), &ResourceReport::assessment);
    PlanRecord plan = recordPlan(assessments, report.steps);
    plan.made =
        fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                    fmt::gmtime(std::chrono::system_clock::to_time_t(report.started)));
    plan.host = report.host;
    plan.bootId = report.bootId;
    plan.profile = std::move(profile);
    plan.run = run;
    return plan;
}

std::vector<std::string> movedOn(const PlanRecord& was, const PlanRecord& now) {
    std::vector<std::string> changes;
    compareProperties(was, now, changes);
    addStepsOnlyIn(was, now, "is not what would be done now", changes);
    addStepsOnlyIn(now, was, "is new", changes);
    if (changes.empty() && !sameOrder(was, now)) {
        changes.emplace_back("the steps have another order or number");
    }
    if (changes.empty() && was.observed != now.observed) {
        changes.emplace_back("the hash of what was found is another");
    }
    return changes;
}

std::optional<Error> notForHere(const PlanRecord& plan,
                                const inventory::Platform& platform) {
    if (plan.host != platform.hostName) {
        return refusal(fmt::format("it was made on {}, this is {}",
                                   escapeForTerminal(plan.host),
                                   escapeForTerminal(platform.hostName)));
    }
    if (plan.bootId != platform.bootId) {
        return refusal(
            fmt::format("it was made before this host was booted (boot {}, now {})",
                        escapeForTerminal(plan.bootId),
                        escapeForTerminal(platform.bootId)));
    }
    return std::nullopt;
}

std::optional<Error> otherProfile(const PlanRecord& plan,
                                  const std::vector<HashedFile>& now) {
    const auto unread = std::ranges::find(now, "", &HashedFile::sha256);
    if (unread != now.end()) {
        return refusal("the profile cannot be read any more: " +
                       escapeForTerminal(unread->path));
    }
    const auto [was, is] = std::ranges::mismatch(plan.profile, now);
    if (was == plan.profile.end() && is == now.end()) {
        return std::nullopt;
    }
    return refusal("the profile changed: " +
                   escapeForTerminal(was != plan.profile.end() ? was->path : is->path));
}

std::optional<Error> otherState(const PlanRecord& plan, const PlanRecord& now) {
    constexpr std::size_t kShown = 3;
    std::vector<std::string> changes = movedOn(plan, now);
    if (changes.empty()) {
        return std::nullopt;
    }
    std::ranges::transform(changes, changes.begin(), shortened);
    if (changes.size() > kShown) {
        const std::size_t more = changes.size() - kShown;
        changes.resize(kShown);
        changes.push_back(
            fmt::format("and {} more, which 'fabricctl plan FILE' lists", more));
    }
    const bool done = !plan.steps.empty() && now.steps.empty();
    return refusal(fmt::format("the host moved on{}: {}",
                               done ? ", and nothing of the plan is left to do" : "",
                               fmt::join(changes, "; ")));
}

}  // namespace fabric::engine
