// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/assess.hpp"

#include "resource/dcb/compare.hpp"
#include "resource/dcb/observe.hpp"
#include "resource/rail_property.hpp"

#include <fmt/format.h>

#include <utility>

namespace fabric::resource::dcb {

namespace {

// Every owned property of the port with one verdict and reason.
Comparison uniformly(const PortTask& task, Verdict verdict, const std::string& reason) {
    Comparison result;
    for (const OwnedProperty& property : ownedProperties(task.wanted)) {
        Assessment assessment = assessmentOf(task, property.name);
        assessment.wanted = property.wanted;
        assessment.verdict = verdict;
        assessment.reason = reason;
        result.assessments.push_back(std::move(assessment));
    }
    return result;
}

// A device without dcbnl operations: values that the profile insists on are
// unsupported, derived ones do not apply.
Comparison withoutDcb(const PortTask& task) {
    Comparison result;
    const DriverFacts& driver = driverFacts(task.port.driver);
    for (const OwnedProperty& property : ownedProperties(task.wanted)) {
        Assessment assessment = assessmentOf(task, property.name);
        judgeUncontrollable(
            task, property.required, "DCB", assessment, result.findings);
        assessment.wanted = property.wanted;
        assessment.reason = fmt::format(
            "{} offers no DCB at all (Operation not supported)", driverName(task.port));
        if (!driver.dcbxFix.empty()) {
            assessment.fix = dcbxFix(driver, task.port.name);
        }
        result.assessments.push_back(std::move(assessment));
    }
    return result;
}

Comparison unread(const PortTask& task,
                  const Error& error,
                  const inventory::Platform& platform) {
    if (error.kind == ErrorKind::unsupported) {
        return withoutDcb(task);
    }
    Comparison result = uniformly(task, Verdict::unreadable, {});
    for (Assessment& assessment : result.assessments) {
        cannotRead(error, platform, assessment);
        if (assessment.fix.empty()) {
            assessment.fix = "run check again; see the kernel log if it stays";
        }
    }
    return result;
}

Comparison assessPort(const host::Reader& host,
                      const PortTask& task,
                      const inventory::Platform& platform) {
    const auto found = observe(host, task.port);
    return found ? compare(task, *found) : unread(task, found.error(), platform);
}

// A rail whose port could not be found (a VF of a port in another namespace, a veth).
Comparison withoutPort(const RailTask& rail, const PortTask& task) {
    const std::string how =
        rail.rail.resolution.empty()
            ? fmt::format("{} is not a physical port and none was found below it",
                          rail.rail.name)
            : rail.rail.resolution;
    return uniformly(
        task, Verdict::notApplicable, how + "; DCB acts on physical ports");
}

Comparison assessRail(const host::Reader& host,
                      const RailTask& rail,
                      const inventory::Platform& platform) {
    const auto taskOf = [&](inventory::PhysicalPort port) {
        return PortTask{.rail = rail.rail.name,
                        .rdma = rail.rail.rdma ? rail.rail.rdma->device : "",
                        .port = std::move(port),
                        .wanted = *rail.settings.dcb};
    };
    Comparison result;
    if (rail.rail.ports.empty()) {
        result = withoutPort(rail,
                             taskOf({.link = rail.rail.link,
                                     .name = rail.rail.name,
                                     .pci = rail.rail.pci,
                                     .driver = rail.rail.driver}));
    }
    for (const inventory::PhysicalPort& port : rail.rail.ports) {
        result.append(assessPort(host, taskOf(port), platform));
    }
    for (Assessment& assessment : result.assessments) {
        if (refuse(rail, assessment)) {
            result.steps.clear();
        }
    }
    return result;
}

}  // namespace

Comparison assess(const host::Reader& host, const Scope& scope) {
    Comparison result;
    for (const RailTask& rail : scope.rails) {
        if (rail.settings.dcb) {
            result.append(assessRail(host, rail, scope.platform));
        }
    }
    settleSharedPorts(result);
    return result;
}

}  // namespace fabric::resource::dcb
