// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batch.hpp"
#include "engine/executor.hpp"
#include "engine/preparation.hpp"

#include <vector>

namespace fabric::engine {

// What a run one at a time looks again with.
struct CanaryLook {
    const profile::Profile& profile;
    const Preparation& preparation;
    const RunOptions& options;
    const std::vector<resource::Assessment>& before;
};

// Carries out one batch after the other; one result per step in the order of
// stepsOf(batches). After each batch what it serves is observed afresh, of a rail
// everything; unless all of that is as wanted, or was known before the first write not
// to become so (refused, unsupported, unreadable), the rest is not attempted. What
// comes after the rails (the sysctl.d file, the service) is not attempted either while
// any rail is not as wanted, for whatever reason.
[[nodiscard]] std::vector<StepResult> executeOneAtATime(
    const std::vector<Batch>& batches,
    const host::Reader& reader,
    const host::Writer& writer,
    const CanaryLook& look,
    const ExecutionOptions& execution);

}  // namespace fabric::engine
