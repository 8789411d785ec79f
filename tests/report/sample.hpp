// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"

namespace fabric::report {

// A plan over two rails: one drifted with a link disturbance, one in sync, ACS refused,
// and a finding whose evidence holds an escape sequence.
engine::Report samplePlan();
// The apply that follows: PFC changed, ACS failed.
engine::Report sampleApply();

}  // namespace fabric::report
