// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "engine/apply.hpp"
#include "engine/plan_record.hpp"
#include "host/files.hpp"

#include <optional>

namespace fabric::cli {

// The plan that stands where a profile is expected; std::nullopt when it is none. What
// is said of a plan that cannot be used names its file.
[[nodiscard]] std::optional<Result<engine::PlanRecord>> readPlan(
    const host::FileReader& files, const std::string& path);

// Writes `plan --out FILE`: a whole new file of mode 0600, in the place of nothing or
// of an earlier plan. Whatever else stands there stays, and is an error.
[[nodiscard]] Result<void> writePlan(const host::FileReader& files,
                                     const engine::PlanRecord& plan,
                                     const std::string& path);

// The options of a run that carries out `plan`: what shapes it comes from the plan, how
// it is told from the command line. An option that would shape it too is an error.
[[nodiscard]] Result<Options> optionsFor(const engine::PlanRecord& plan,
                                         const Options& given);

// Lets a run write only when it would do what the plan says to the host of the plan.
[[nodiscard]] engine::Approval approvalBy(const engine::PlanRecord& plan);

}  // namespace fabric::cli
