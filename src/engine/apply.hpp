// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/executor.hpp"
#include "engine/preparation.hpp"
#include "engine/prove.hpp"
#include "engine/report.hpp"

namespace fabric::engine {

struct ApplyOptions {
    RunOptions run;
    ExecutionOptions execution;
    std::optional<std::chrono::milliseconds>
        wait;  // overrides the profile's rails.wait
    std::function<void(std::string_view)> onWait = [](std::string_view) {};
    Approval approve = {};  // of the plan; empty: any
    // Called once with the ordered plan when there is something to write, before the
    // first write. An error stops the run with nothing written.
    std::function<Result<void>(const std::vector<resource::Step>&, const Preparation&)>
        beforeWriting = [](const std::vector<resource::Step>&, const Preparation&) {
            return Result<void>{};
        };
};

// Plans, writes, observes again, compares again. Success is an empty difference in the
// second look, nothing else.
[[nodiscard]] Report apply(const host::Reader& reader,
                           const host::Writer& writer,
                           const profile::Profile& profile,
                           const ApplyOptions& options);

// The capability that `apply` of these kinds lacks, as an error that names it;
// std::nullopt when the process may write. Pure.
[[nodiscard]] std::optional<Error> missingCapability(
    const inventory::Platform& platform,
    const profile::Profile& profile,
    const RunOptions& options);

}  // namespace fabric::engine
