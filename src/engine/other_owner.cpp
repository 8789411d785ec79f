// SPDX-License-Identifier: Apache-2.0
#include "engine/other_owner.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace fabric::engine {

namespace {

constexpr std::string_view kLldpad = "lldpad";

bool isContested(const ResourceReport& report) {
    return report.assessment.kind == resource::Kind::dcb &&
           (report.outcome == Outcome::failed || report.outcome == Outcome::drifted);
}

bool isRunning(const host::FileReader& files, std::string_view name) {
    const auto entries = files.list("/proc");
    if (!entries) {
        return false;
    }
    return std::ranges::any_of(*entries, [&](const std::string& entry) {
        if (!parseUnsigned(entry)) {
            return false;
        }
        const auto comm = files.read("/proc/" + entry + "/comm");
        return comm && trimmed(*comm) == name;
    });
}

}  // namespace

void nameOtherOwners(const host::FileReader& files, Report& report) {
    if (!std::ranges::any_of(report.resources, isContested) ||
        !isRunning(files, kLldpad)) {
        return;
    }
    for (ResourceReport& resource : report.resources) {
        if (isContested(resource)) {
            resource.assessment.reason +=
                "; lldpad is running and may write DCB by itself";
        }
    }
    report.findings.push_back(
        {.id = "dcb.lldpad",
         .severity = resource::Severity::warn,
         .summary = "lldpad is running and may overwrite DCB settings",
         .evidence = "a process named lldpad in /proc",
         .fix = "systemctl disable --now lldpad.socket lldpad.service, then run "
                "'fabricctl apply' again"});
}

}  // namespace fabric::engine
