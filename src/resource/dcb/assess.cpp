// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/assess.hpp"

#include "resource/dcb/compare.hpp"
#include "resource/dcb/observe.hpp"

#include <fmt/format.h>

#include <map>
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

Comparison unread(const PortTask& task, const Error& error) {
    if (error.kind == ErrorKind::unsupported) {
        return withoutDcb(task);
    }
    Comparison result = uniformly(task, Verdict::unreadable, error.message());
    for (Assessment& assessment : result.assessments) {
        assessment.fix = error.kind == ErrorKind::permission
                             ? "run as root in the host's own namespaces"
                             : "run check again; see the kernel log if it stays";
    }
    return result;
}

void refuse(Comparison& comparison, const std::string& reason) {
    comparison.steps.clear();
    for (Assessment& assessment : comparison.assessments) {
        assessment.verdict = Verdict::failed;
        assessment.disturbs = Disturbs::none;
        assessment.reason = reason;
        assessment.fix.clear();
    }
}

Comparison assessPort(const host::Reader& host, const PortTask& task) {
    const auto found = observe(host, task.port);
    return found ? compare(task, *found) : unread(task, found.error());
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

Finding sharedPort(const PortTask& task, const std::string& first) {
    return {.id = "dcb.shared-port",
            .severity = Severity::info,
            .summary = fmt::format("{} shares the port {} with {}, which decides",
                                   task.rail,
                                   task.port.name,
                                   first),
            .evidence = idOf(task.port, "*"),
            .fix = {}};
}

// One assessment of a port has one id, whatever number of rails stand on it.
class Assessor {
  public:
    explicit Assessor(const host::Reader& host) : host_(host) {}

    void add(const RailTask& rail) {
        const std::string rdma = rail.rail.rdma ? rail.rail.rdma->device : "";
        const auto taskOf = [&](inventory::PhysicalPort port) {
            return PortTask{.rail = rail.rail.name,
                            .rdma = rdma,
                            .port = std::move(port),
                            .wanted = *rail.settings.dcb};
        };
        if (rail.rail.ports.empty()) {
            const PortTask task = taskOf({.link = rail.rail.link,
                                          .name = rail.rail.name,
                                          .pci = rail.rail.pci,
                                          .driver = rail.rail.driver});
            take(withoutPort(rail, task), rail);
        }
        for (const inventory::PhysicalPort& port : rail.rail.ports) {
            addPort(taskOf(port), rail);
        }
    }

    Comparison finish() && { return std::move(result_); }

  private:
    void addPort(const PortTask& task, const RailTask& rail) {
        const auto [first, isNew] = railOf_.try_emplace(task.port.link, task.rail);
        if (!isNew) {
            result_.findings.push_back(sharedPort(task, first->second));
            return;
        }
        take(assessPort(host_, task), rail);
    }

    void take(Comparison comparison, const RailTask& rail) {
        if (!rail.refusal.empty()) {
            refuse(comparison, rail.refusal);
        }
        result_.append(std::move(comparison));
    }

    const host::Reader& host_;
    std::map<IfIndex, std::string> railOf_;
    Comparison result_;
};

}  // namespace

Comparison assess(const host::Reader& host, const Scope& scope) {
    Assessor assessor(host);
    for (const RailTask& rail : scope.rails) {
        if (rail.settings.dcb) {
            assessor.add(rail);
        }
    }
    return std::move(assessor).finish();
}

}  // namespace fabric::resource::dcb
