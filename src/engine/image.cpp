// SPDX-License-Identifier: Apache-2.0
#include "engine/image.hpp"

#include "base/text.hpp"
#include "engine/fold.hpp"
#include "engine/planner.hpp"
#include "engine/resource_table.hpp"

#include <utility>

namespace fabric::engine {

namespace {

resource::Assessment deferred(resource::Kind kind) {
    return {.id = std::string(resource::toString(kind)),
            .kind = kind,
            .verdict = resource::Verdict::skipped,
            .reason = "deferred to boot: it needs the running host"};
}

}  // namespace

resource::Comparison assessImage(const host::Reader& image,
                                 const profile::Profile& profile,
                                 const RunOptions& options) {
    const inventory::Platform unknown;
    const resource::Scope scope{
        .rails = {}, .host = profile.host(), .platform = unknown};
    resource::Comparison all;
    if (auto nothing = nothingManaged(profile, options)) {
        all.findings.push_back(std::move(*nothing));
    }
    for (const resource::Resource& resource : resourceTable()) {
        const bool looks = profile.owns(resource.section) || resource.leavesFiles;
        if (!options.includes(resource.kind) || !looks) {
            continue;
        }
        if (resource.assessImage == nullptr) {
            all.assessments.push_back(deferred(resource.kind));
        } else {
            all.append(resource.assessImage(image, scope));
        }
    }
    return all;
}

Report observeImage(const host::Reader& image,
                    const profile::Profile& profile,
                    const RunOptions& options,
                    Purpose purpose) {
    const auto start = image.clock.now();
    Report report =
        beginReport(image, purpose == Purpose::plan ? "plan" : "check", profile);
    resource::Comparison seen = assessImage(image, profile, options);
    report.resources = foldObserved(std::move(seen.assessments));
    report.findings = std::move(seen.findings);
    if (purpose == Purpose::plan) {
        report.steps = orderSteps(std::move(seen.steps));
    }
    Preparation preparation;
    preparation.platform.hostName =
        trimmed(image.files.read("/etc/hostname").value_or(""));
    finishReport(image, preparation, start, report);
    return report;
}

}  // namespace fabric::engine
