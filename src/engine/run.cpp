// SPDX-License-Identifier: Apache-2.0
#include "engine/run.hpp"

#include "base/shell_word.hpp"
#include "engine/disruption.hpp"
#include "engine/fold.hpp"
#include "engine/other_owner.hpp"

#include <set>
#include <string_view>
#include <utility>

namespace fabric::engine {

namespace {

// A difference that `apply` repairs has that as its next command.
void nameRepair(const std::vector<resource::Step>& steps,
                bool tooManyRails,
                Report& report) {
    std::set<std::string_view> repaired;
    for (const resource::Step& step : steps) {
        repaired.insert(step.ids.begin(), step.ids.end());
    }
    for (ResourceReport& resource : report.resources) {
        resource::Assessment& assessment = resource.assessment;
        if (resource.outcome == Outcome::drifted && assessment.fix.empty() &&
            repaired.contains(assessment.id)) {
            assessment.fix = tooManyRails && !assessment.rail.empty()
                                 ? "see rails/expect first: with too many rails none "
                                   "is written"
                                 : "fabricctl apply " + shellWord(report.profilePath);
        }
    }
}

// An act that every apply repeats is something that apply would do.
void showRepeatedActs(Report& report) {
    for (ResourceReport& resource : report.resources) {
        if (resource.assessment.onEveryApply && resource.outcome == Outcome::inSync) {
            resource.outcome = Outcome::drifted;
        }
    }
}

Report observeOnly(const host::Reader& host,
                   const profile::Profile& profile,
                   const RunOptions& options,
                   Purpose purpose,
                   resource::Comparison boot) {
    const auto start = host.clock.now();
    Report report =
        beginReport(host, purpose == Purpose::plan ? "plan" : "check", profile);
    Preparation preparation = prepare(host, profile, options, purpose);
    report.errors = std::move(preparation.errors);
    report.stopped = std::move(preparation.stopped);
    if (report.errors.empty() && !report.stopped) {
        resource::Comparison seen = preparation.known;
        seen.append(assessAll(host, profile, preparation, options));
        seen.append(std::move(boot));
        if (purpose == Purpose::plan) {
            HeldBack held = decideSteps(seen, options);
            leaveSharedLines(host.files, held, seen);
        }
        report.resources = foldObserved(std::move(seen.assessments));
        report.findings = std::move(seen.findings);
        nameRepair(seen.steps, preparation.tooManyRails, report);
        if (purpose == Purpose::plan) {
            report.steps = std::move(seen.steps);
            showRepeatedActs(report);
        }
        nameOtherOwners(host.files, report);
    }
    finishReport(host, preparation, start, report);
    return report;
}

}  // namespace

Report beginReport(const host::Reader& host,
                   std::string command,
                   const profile::Profile& profile) {
    Report report;
    report.command = std::move(command);
    report.profileName = profile.name();
    report.profilePath = profile.path();
    report.started = host.clock.wallTime();
    return report;
}

void finishReport(const host::Reader& host,
                  const Preparation& preparation,
                  std::chrono::steady_clock::time_point start,
                  Report& report) {
    report.host = preparation.platform.hostName;
    report.bootId = preparation.platform.bootId;
    report.duration =
        std::chrono::duration_cast<std::chrono::microseconds>(host.clock.now() - start);
}

Report check(const host::Reader& host,
             const profile::Profile& profile,
             const RunOptions& options,
             resource::Comparison boot) {
    return observeOnly(host, profile, options, Purpose::check, std::move(boot));
}

Report plan(const host::Reader& host,
            const profile::Profile& profile,
            const RunOptions& options) {
    return observeOnly(host, profile, options, Purpose::plan, {});
}

}  // namespace fabric::engine
