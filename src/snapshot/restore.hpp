// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/executor.hpp"
#include "engine/report.hpp"
#include "host/host.hpp"
#include "inventory/platform.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/snapshot.hpp"

#include <functional>
#include <vector>

namespace fabric::snapshot {

struct RestoreOptions {
    Circumstances known;
    engine::ExecutionOptions execution;
    // Called once with the ordered plan when there is something to write. An error
    // stops the run with nothing written.
    std::function<Result<void>(const std::vector<resource::Step>&,
                               const inventory::Platform&)>
        beforeWriting = [](const std::vector<resource::Step>&,
                           const inventory::Platform&) { return Result<void>{}; };
};

// Puts back what a snapshot holds and proves it by a second look, as an apply does. The
// caller holds the run lock.
[[nodiscard]] engine::Report restore(const host::Reader& reader,
                                     const host::Writer& writer,
                                     const Snapshot& snapshot,
                                     const RestoreOptions& options);

}  // namespace fabric::snapshot
