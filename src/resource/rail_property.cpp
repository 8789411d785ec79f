// SPDX-License-Identifier: Apache-2.0
#include "resource/rail_property.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

namespace fabric::resource {

namespace {

bool isLockedDown(const inventory::Platform& platform) {
    return platform.lockdown == inventory::Lockdown::integrity ||
           platform.lockdown == inventory::Lockdown::confidentiality;
}

std::string whatItTakes(const Error& error, const inventory::Platform& platform) {
    if (error.sysErrno == EPERM && isLockedDown(platform)) {
        return "kernel lockdown closes this file to root too; boot with lockdown=none "
               "(Secure Boot off) to see it";
    }
    if (error.sysErrno == EACCES || error.sysErrno == EPERM) {
        return "run as root of the host: this takes CAP_DAC_OVERRIDE, or CAP_SYS_ADMIN "
               "outside a user namespace";
    }
    return error.advice;
}

int badness(Verdict verdict) {
    switch (verdict) {
        case Verdict::failed:
            return 4;
        case Verdict::unsupported:
            return 3;
        case Verdict::unreadable:
            return 2;
        case Verdict::differs:
            return 1;
        default:
            return 0;
    }
}

// Merges `later` into the assessment of the same id that is kept. True when the steps
// of this id must go.
bool settle(Assessment& kept, const Assessment& later) {
    if (kept.wanted != later.wanted) {
        kept.verdict = Verdict::failed;
        kept.disturbs = Disturbs::none;
        kept.reason = "rails " + kept.rail + " and " + later.rail + " share " +
                      kept.device +
                      " and want different values: " + kept.wanted.toText() + " and " +
                      later.wanted.toText();
        kept.fix = "give both rails the same value in the profile";
        return true;
    }
    // The port is looked at once per rail; what flips between two looks is not in sync.
    if (badness(later.verdict) > badness(kept.verdict)) {
        kept = later;
    }
    return kept.verdict == Verdict::failed;
}

bool sameWrites(const Step& left, const Step& right) {
    return left.ids == right.ids && left.writes == right.writes;
}

void dropSteps(Comparison& comparison, const std::set<std::string>& blocked) {
    std::vector<Step> kept;
    for (Step& step : comparison.steps) {
        const bool isBlocked = std::ranges::any_of(
            step.ids, [&](const std::string& id) { return blocked.contains(id); });
        const bool repeated = std::ranges::any_of(
            kept, [&](const Step& other) { return sameWrites(step, other); });
        if (!isBlocked && !repeated) {
            kept.push_back(std::move(step));
        }
    }
    comparison.steps = std::move(kept);
}

}  // namespace

Assessment railProperty(const RailTask& task,
                        Kind kind,
                        std::string_view interface,
                        std::string_view property) {
    Assessment assessment;
    assessment.kind = kind;
    assessment.id = std::string(toString(kind)) + "/" + std::string(interface);
    if (!property.empty()) {
        assessment.id += "/" + std::string(property);
    }
    assessment.device = interface;
    assessment.property = property;
    assessment.rail = task.rail.name;
    assessment.rdma = task.rail.rdma ? task.rail.rdma->device : "";
    const auto port =
        std::ranges::find(task.rail.ports, interface, &inventory::PhysicalPort::name);
    const auto pci = port == task.rail.ports.end() ? task.rail.pci : port->pci;
    assessment.pci = pci ? pci->text() : "";
    return assessment;
}

Result<std::string> presentName(const host::LinkReader& links, IfIndex link) {
    return TRY(links.link(link)).name;
}

Result<void> stillNamed(const host::LinkReader& links,
                        IfIndex link,
                        std::string_view name,
                        std::string action) {
    const std::string present = TRY(presentName(links, link));
    if (present == name) {
        return {};
    }
    return fail({.kind = ErrorKind::mismatch,
                 .action = std::move(action),
                 .subject = escapeForTerminal(name),
                 .detail = "moved away: the interface is called " +
                           escapeForTerminal(present) +
                           " now, and the old name may be another interface's",
                 .advice = "run again once interface names have settled"});
}

bool refuse(const RailTask& task, Assessment& assessment) {
    if (task.refusal.empty()) {
        return false;
    }
    assessment.verdict = Verdict::failed;
    assessment.reason = task.refusal;
    assessment.fix = task.refusalFix;
    assessment.disturbs = Disturbs::none;
    return true;
}

void cannotRead(const Error& error,
                const inventory::Platform& platform,
                Assessment& assessment) {
    assessment.verdict = Verdict::unreadable;
    assessment.fix = whatItTakes(error, platform);
    Error withoutAdvice = error;
    withoutAdvice.advice.clear();
    assessment.reason = withoutAdvice.message();
}

void settleSharedPorts(Comparison& comparison) {
    std::vector<Assessment> kept;
    std::map<std::string, std::size_t> byId;
    std::set<std::string> blocked;
    for (Assessment& assessment : comparison.assessments) {
        const auto [known, added] = byId.emplace(assessment.id, kept.size());
        if (added) {
            kept.push_back(std::move(assessment));
        } else if (settle(kept[known->second], assessment)) {
            blocked.insert(assessment.id);
        }
    }
    if (kept.size() == comparison.assessments.size()) {
        comparison.assessments = std::move(kept);
        return;
    }
    comparison.assessments = std::move(kept);
    dropSteps(comparison, blocked);
    std::vector<Finding> findings;
    for (Finding& finding : comparison.findings) {
        if (std::ranges::find(findings, finding) == findings.end()) {
            findings.push_back(std::move(finding));
        }
    }
    comparison.findings = std::move(findings);
}

}  // namespace fabric::resource
