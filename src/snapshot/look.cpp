// SPDX-License-Identifier: Apache-2.0
#include "snapshot/look.hpp"

#include "engine/fold.hpp"
#include "engine/planner.hpp"
#include "inventory/platform.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/store.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace fabric::snapshot {

engine::Report beginReport(const host::Reader& host,
                           std::string command,
                           const Snapshot& snapshot) {
    engine::Report report;
    report.command = std::move(command);
    report.profileName = "snapshot " + snapshot.id;
    report.profilePath = pathOf(snapshot.id);
    report.started = host.clock.wallTime();
    return report;
}

void noteBootUnit(const host::Reader& host, engine::Report& report) {
    constexpr std::string_view kBootUnit = "fabricctl.service";
    if (host.services == nullptr) {
        return;
    }
    const auto unit = host.services->unit(kBootUnit);
    if (!unit || !unit->unitFileState.starts_with("enabled")) {
        return;
    }
    report.findings.push_back(
        {.id = "restore.boot-unit",
         .severity = resource::Severity::info,
         .summary = "the next boot applies the profile again",
         .evidence = fmt::format("{} is {}", kBootUnit, unit->unitFileState),
         .fix = "systemctl disable fabricctl-early.service fabricctl.service"});
}

engine::Report differences(const host::Reader& host,
                           std::string command,
                           const Snapshot& snapshot,
                           const Circumstances& known) {
    const auto start = host.clock.now();
    engine::Report report = beginReport(host, std::move(command), snapshot);
    const inventory::Platform platform = inventory::observePlatform(host);
    resource::Comparison seen = compare(host, snapshot, platform, known);
    report.resources = engine::foldObserved(std::move(seen.assessments));
    report.findings = std::move(seen.findings);
    report.steps = engine::orderSteps(std::move(seen.steps));
    noteBootUnit(host, report);
    report.host = platform.hostName;
    report.bootId = platform.bootId;
    report.duration =
        std::chrono::duration_cast<std::chrono::microseconds>(host.clock.now() - start);
    return report;
}

}  // namespace fabric::snapshot
