// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "engine/plan_record.hpp"
#include "engine/report.hpp"
#include "host/host.hpp"

namespace fabric::cli {

// What a plan file holds, as the report of the `plan` that made it, and whether `apply`
// would carry it out on this host now: finding plan.holds, or plan.outdated with what
// changed. Reads only.
[[nodiscard]] engine::Report shownPlan(const host::Reader& reader,
                                       const engine::PlanRecord& plan,
                                       const Options& given);

}  // namespace fabric::cli
