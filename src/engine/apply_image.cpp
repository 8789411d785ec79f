// SPDX-License-Identifier: Apache-2.0
#include "engine/apply_image.hpp"

#include "engine/fold.hpp"
#include "engine/planner.hpp"

#include <algorithm>
#include <utility>

namespace fabric::engine {

Report applyImage(const host::Reader& image,
                  const host::Writer& writer,
                  const profile::Profile& profile,
                  const ApplyOptions& options) {
    Report report = observeImage(image, profile, options.run, Purpose::apply);
    report.command = "apply";
    report.detailedExitCode = options.run.detailedExitCode;
    resource::Comparison before = assessImage(image, profile, options.run);
    report.steps = orderSteps(std::move(before.steps));
    const auto results = execute(report.steps, image, writer, options.execution);
    const resource::Comparison after = assessImage(image, profile, options.run);
    report.resources = foldApplied(
        std::move(before.assessments), after.assessments, report.steps, results);
    report.findings = after.findings;
    report.changed = std::ranges::any_of(report.resources, [](const auto& resource) {
        return resource.outcome == Outcome::changed;
    });
    return report;
}

}  // namespace fabric::engine
