// SPDX-License-Identifier: Apache-2.0
#include "engine/apply.hpp"

#include "engine/fold.hpp"
#include "engine/other_owner.hpp"
#include "engine/planner.hpp"
#include "engine/rail_wait.hpp"
#include "engine/resource_table.hpp"
#include "engine/run.hpp"

#include <algorithm>
#include <utility>

namespace fabric::engine {

namespace {

using resource::Kind;

Error lacks(std::string_view capability,
            std::string_view forWhat,
            const inventory::Platform& platform) {
    Error error{.kind = ErrorKind::permission,
                .action = "apply",
                .subject = std::string(forWhat),
                .sysErrno = 0,
                .detail = std::string(capability) + " is missing",
                .advice = "run as root"};
    if (!platform.initialUserNamespace) {
        error.detail +=
            " in the initial user namespace (this process runs in another one)";
        error.advice =
            "run on the host, not inside a container with its own user namespace";
    }
    return error;
}

bool writes(const profile::Profile& profile,
            const RunOptions& options,
            std::initializer_list<Kind> kinds) {
    return std::ranges::any_of(
        resourceTable(), [&](const resource::Resource& resource) {
            return std::ranges::find(kinds, resource.kind) != kinds.end() &&
                   options.includes(resource.kind) && profile.owns(resource.section);
        });
}

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

void carryOutAndProve(const host::Reader& reader,
                      const host::Writer& writer,
                      const profile::Profile& profile,
                      const ApplyOptions& options,
                      Preparation& preparation,
                      Report& report) {
    const resource::Comparison known = std::move(preparation.known);
    resource::Comparison before = known;
    before.append(assessAll(reader, profile, preparation, options.run));
    report.steps = orderSteps(std::move(before.steps));
    if (report.steps.empty()) {
        report.findings = std::move(before.findings);
        const auto same = before.assessments;
        report.resources = foldApplied(std::move(before.assessments), same, {}, {});
        return;
    }
    if (auto ready = options.beforeWriting(report.steps, preparation); !ready) {
        report.stopped = std::move(ready.error());
        report.steps.clear();
        return;
    }
    std::vector<resource::Finding> told;
    ExecutionOptions execution = options.execution;
    execution.onFinding = [&told](resource::Finding finding) {
        told.push_back(std::move(finding));
    };
    const std::vector<StepResult> results =
        execute(report.steps, reader, writer, execution);
    resource::Comparison after = known;
    after.append(assessAll(reader, profile, preparation, options.run));
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

}  // namespace

std::optional<Error> missingCapability(const inventory::Platform& platform,
                                       const profile::Profile& profile,
                                       const RunOptions& options) {
    const bool netAdmin = platform.hasNetAdmin && platform.initialUserNamespace;
    if (!netAdmin &&
        writes(profile,
               options,
               {Kind::dcb, Kind::mtu, Kind::pause, Kind::arp, Kind::neighbour})) {
        return lacks("CAP_NET_ADMIN", "network settings", platform);
    }
    const bool sysAdmin = platform.hasSysAdmin && platform.initialUserNamespace;
    if (!sysAdmin && options.rail.empty() && writes(profile, options, {Kind::acs})) {
        return lacks("CAP_SYS_ADMIN", "PCI configuration space", platform);
    }
    if (!platform.effectiveRoot &&
        writes(profile, options, {Kind::ecn, Kind::rdmaCm, Kind::acs, Kind::module})) {
        return lacks("CAP_DAC_OVERRIDE",
                     "files below /sys and /etc that belong to root",
                     platform);
    }
    if (!platform.effectiveRoot && options.rail.empty() &&
        writes(profile, options, {Kind::service})) {
        return lacks("CAP_DAC_OVERRIDE", "drop-ins in /etc/systemd/system", platform);
    }
    return std::nullopt;
}

Report apply(const host::Reader& reader,
             const host::Writer& writer,
             const profile::Profile& profile,
             const ApplyOptions& options) {
    const auto start = reader.clock.now();
    Report report = beginReport(reader, "apply", profile);
    report.detailedExitCode = options.run.detailedExitCode;
    Preparation preparation;
    preparation.platform = inventory::observePlatform(reader);
    if (auto missing = missingCapability(preparation.platform, profile, options.run)) {
        report.stopped = std::move(missing);
    } else {
        waitForRails(reader, profile, options);
        preparation = prepare(reader, profile, options.run, Purpose::apply);
        report.errors = std::move(preparation.errors);
        report.stopped = std::move(preparation.stopped);
    }
    if (report.errors.empty() && !report.stopped) {
        carryOutAndProve(reader, writer, profile, options, preparation, report);
        nameOtherOwners(reader.files, report);
    }
    finishReport(reader, preparation, start, report);
    return report;
}

}  // namespace fabric::engine
