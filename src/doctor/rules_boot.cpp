// SPDX-License-Identifier: Apache-2.0
// What was to happen at boot.
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/rules.hpp"
#include "engine/ordering_cycle.hpp"

#include <algorithm>
#include <array>

namespace fabric::doctor {

namespace {

Judgement judgeUnit(const host::ServiceUnit& unit, const std::string& state) {
    const Value expected = "started in this boot";
    if (unit.loadState != "loaded" || unit.unitFileState != "enabled") {
        return notApplicable(unit.name + " is not enabled");
    }
    if (unit.inactiveExitUs != 0) {
        return passed(expected, expected);
    }
    if (state != "running" && state != "degraded") {
        return inconclusive("the system is " + state);
    }
    return failed(expected, "never", unit.name + " is enabled and never started");
}

Judgement judgeBoot(const Evidence& evidence) {
    Judged units;
    for (const auto& [name, unit] : evidence.bootUnits) {
        if (!unit) {
            units.add(name, unreadable(unit.error()));
        } else {
            units.add(name, judgeUnit(*unit, evidence.systemState.value_or("unknown")));
        }
    }
    return units.worst("there is no unit of a boot");
}

Judgement judgeCycle(const Evidence& evidence) {
    if (!evidence.managerProblems) {
        const Error& error = evidence.managerProblems.error();
        return error.kind == ErrorKind::permission
                   ? unreadable(error)
                   : inconclusive("there is no journal to search: " + error.message());
    }
    std::vector<std::string> units{evidence.server.unit};
    for (const auto& [name, unit] : evidence.bootUnits) {
        units.push_back(name);
    }
    const Value expected = "no circle in the order of units";
    const auto findings = engine::cycleFindings(
        engine::findOrderingCycles(*evidence.managerProblems), units);
    if (findings.empty()) {
        return passed(expected, "none");
    }
    const resource::Finding& worst =
        *std::ranges::max_element(findings, {}, &resource::Finding::severity);
    return worst.severity == resource::Severity::fail
               ? failed(expected, worst.evidence, worst.summary)
               : warned(expected, worst.evidence, worst.summary);
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "unit.cycle",
     .worst = Verdict::fail,
     .cause = "systemd took a unit out of the boot to break an ordering cycle",
     .source = "Configure the RDMA fabric: PCIe ACS",
     .look = "journalctl -b | grep 'ordering cycle'",
     .fix = "take one of the After= or Before= lines out that close the circle",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeCycle},
    {.id = "acs.boot",
     .worst = Verdict::fail,
     .cause = "a unit that sets this host up is enabled and never ran in this boot",
     .source = "Troubleshoot RDMA: remote operation error",
     .look = "systemctl show fabricctl.service disable-pcie-acs.service "
             "--property=Id,UnitFileState,InactiveExitTimestamp",
     .fix =
         "systemctl start {boot-unit}, and find out what kept it away: journalctl -b "
         "-u {boot-unit}",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeBoot},
});

}  // namespace

std::span<const Rule> bootRules() {
    return kRules;
}

}  // namespace fabric::doctor
