// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/executor.hpp"
#include "engine/preparation.hpp"
#include "engine/report.hpp"
#include "host/host.hpp"
#include "resource/assessment.hpp"

#include <functional>
#include <vector>

namespace fabric::engine {

// Called with what was found and the ordered steps, also when there are none. An error
// stops the run with nothing written.
using Approval = std::function<Result<void>(const resource::Comparison&)>;

// Carries out a plan, one result per step; may put the steps into another order.
// `before` is the look that the plan came from.
using CarryOut = std::function<std::vector<StepResult>(
    std::vector<resource::Step>& steps,
    const std::vector<resource::Assessment>& before,
    const ExecutionOptions& execution)>;

// What a run brings about: whatever `look` says differs.
struct Proving {
    RunOptions run = {};         // what it may disturb
    resource::Comparison known;  // known before any look, and part of the report
    // One fresh look: wanted against found, and the steps that repair.
    std::function<resource::Comparison()> look;
    // Called once with the ordered plan when there is something to write. An error
    // stops the run with nothing written.
    std::function<Result<void>(const std::vector<resource::Step>&)> beforeWriting;
    Approval approve = {};   // empty: any plan
    CarryOut carryOut = {};  // empty: execute()
    ExecutionOptions execution;
};

// Looks, writes, looks again, and fills in the report's resources, findings and steps.
// Success is an empty difference in the second look, nothing else.
void writeAndProve(const host::Reader& reader,
                   const host::Writer& writer,
                   const Proving& proving,
                   Report& report);

}  // namespace fabric::engine
