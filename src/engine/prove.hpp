// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/executor.hpp"
#include "engine/report.hpp"
#include "host/host.hpp"
#include "resource/assessment.hpp"

#include <functional>
#include <vector>

namespace fabric::engine {

// What a run brings about: whatever `look` says differs.
struct Proving {
    resource::Comparison known;  // known before any look, and part of the report
    // One fresh look: wanted against found, and the steps that repair.
    std::function<resource::Comparison()> look;
    // Called once with the ordered plan when there is something to write. An error
    // stops the run with nothing written.
    std::function<Result<void>(const std::vector<resource::Step>&)> beforeWriting;
    ExecutionOptions execution;
};

// Looks, writes, looks again, and fills in the report's resources, findings and steps.
// Success is an empty difference in the second look, nothing else.
void writeAndProve(const host::Reader& reader,
                   const host::Writer& writer,
                   const Proving& proving,
                   Report& report);

}  // namespace fabric::engine
