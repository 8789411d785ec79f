// SPDX-License-Identifier: Apache-2.0
#include "engine/prove.hpp"

#include "engine/disruption.hpp"
#include "engine/fold.hpp"

#include <algorithm>
#include <utility>

namespace fabric::engine {

namespace {

// What the steps told, unless a fresh look or another step says the same.
void addNews(std::vector<resource::Finding> told,
             std::vector<resource::Finding>& findings) {
    for (resource::Finding& finding : told) {
        const bool known =
            std::ranges::any_of(findings, [&](const resource::Finding& other) {
                return other.id == finding.id && other.summary == finding.summary &&
                       other.device == finding.device;
            });
        if (!known) {
            findings.push_back(std::move(finding));
        }
    }
}

resource::Comparison seen(const Proving& proving) {
    resource::Comparison all = proving.known;
    all.append(proving.look());
    return all;
}

}  // namespace

void writeAndProve(const host::Reader& reader,
                   const host::Writer& writer,
                   const Proving& proving,
                   Report& report) {
    resource::Comparison before = seen(proving);
    HeldBack held = decideSteps(before, proving.run);
    leaveSharedLines(reader.files, held, before);
    if (proving.approve) {
        if (auto approved = proving.approve(before); !approved) {
            report.stopped = std::move(approved.error());
            return;
        }
    }
    report.steps = std::move(before.steps);
    if (report.steps.empty()) {
        report.findings = std::move(before.findings);
        const auto same = before.assessments;
        report.resources = foldApplied(std::move(before.assessments), same, {}, {});
        return;
    }
    if (auto ready = proving.beforeWriting(report.steps); !ready) {
        report.stopped = std::move(ready.error());
        report.steps.clear();
        return;
    }
    proving.execution.onBegin(before.assessments);
    std::vector<resource::Finding> told;
    ExecutionOptions execution = proving.execution;
    execution.onFinding = [&told](resource::Finding finding) {
        told.push_back(std::move(finding));
    };
    const std::vector<StepResult> results =
        proving.carryOut ? proving.carryOut(report.steps, before.assessments, execution)
                         : execute(report.steps, reader, writer, execution);
    resource::Comparison after = seen(proving);
    markHeldBack(held, after.assessments);
    report.findings = std::move(after.findings);
    addNews(std::move(told), report.findings);
    report.resources = foldApplied(
        std::move(before.assessments), after.assessments, report.steps, results);
    report.changed =
        std::ranges::any_of(report.resources, [](const ResourceReport& resource) {
            return resource.outcome == Outcome::changed ||
                   (!resource.after.isNull() &&
                    resource.after != resource.assessment.found);
        });
}

}  // namespace fabric::engine
