// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/ambiguity.hpp"
#include "resource/dcb/classification.hpp"

#include <fmt/format.h>

#include <utility>

namespace fabric::resource::dcb {

namespace {

void noteUnownedRest(Classification& now) {
    if (!now.ownsMap || now.driver.unlisted == UnlistedDscp::written ||
        !now.task.wanted.otherDscp.isExplicit() ||
        now.task.wanted.otherDscp.value == profile::OtherDscp::keep) {
        return;
    }
    now.findings.push_back(
        {.id = "dcb.other-dscp-kept",
         .severity = Severity::info,
         .summary = "DSCPs that are not mapped are kept as they are",
         .evidence = fmt::format("driver {}", driverName(now.task.port)),
         .fix = {},
         .device = now.task.port.name});
}

void noteHiddenRest(Classification& now) {
    const bool dscpTrusted = now.view.state == TrustState::dscp;
    if (!now.driver.hiddenMap || now.view.via != TrustVia::dscpEntries ||
        !dscpTrusted || now.listed.size() >= kDscpCount ||
        now.task.wanted.otherDscp.value != profile::OtherDscp::keep) {
        return;
    }
    now.findings.push_back(
        {.id = "dcb.dscp-map-unknown",
         .severity = Severity::info,
         .summary = fmt::format("the priority of {} DSCPs is not known",
                                kDscpCount - now.listed.size()),
         .evidence = "the hardware maps 64 DSCPs, the kernel lists those that were set",
         .fix = "own them with dcb.other-dscp: default, exclusive or zero",
         .device = now.task.port.name});
}

}  // namespace

Earlier compareClassification(const PortTask& task,
                              const State& found,
                              Comparison& out) {
    const DriverFacts& driver = driverFacts(task.port.driver);
    Classification now{.task = task,
                       .found = found,
                       .driver = driver,
                       .view = trustOf(found, driver),
                       .listed = found.dscpEntries()};
    for (const OwnedProperty& property : ownedProperties(task.wanted)) {
        const bool isTrust = property.name == "trust";
        if (isTrust || property.name == "dscp-map") {
            Assessment& assessment = isTrust ? now.trust : now.map;
            (isTrust ? now.ownsTrust : now.ownsMap) = true;
            assessment = assessmentOf(task, property.name);
            assessment.wanted = property.wanted;
        }
    }
    if (now.ownsTrust) {
        judgeTrust(now);
    }
    if (now.ownsMap) {
        judgeMap(now);
    }
    if (now.ownsTrust && now.trust.verdict == Verdict::differs) {
        repairTrust(now);
    }
    noteUnownedRest(now);
    noteHiddenRest(now);
    if (auto ambiguous = autoAmbiguity(task, found)) {
        now.findings.push_back(std::move(*ambiguous));
    }
    Comparison result{.steps = std::move(now.steps),
                      .findings = std::move(now.findings)};
    if (now.ownsTrust) {
        result.assessments.push_back(std::move(now.trust));
    }
    if (now.ownsMap) {
        result.assessments.push_back(std::move(now.map));
    }
    out.append(std::move(result));
    return now.earlier;
}

}  // namespace fabric::resource::dcb
