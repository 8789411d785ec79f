// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apply.hpp"

namespace fabric::engine {

// How long an apply waits: `given` (--wait), else the written rails.wait, else a minute
// for the boot's apply and no time for another. No time when the run looks at no rail,
// and under --rail.
[[nodiscard]] std::chrono::milliseconds railWait(
    const profile::Profile& profile,
    const RunOptions& run,
    std::optional<std::chrono::milliseconds> given,
    bool boot);

// Waits on device and link events until the profile's rails are there, at most as long
// as railWait says. Returns at once when they are, when there is no
// time to wait, when a signal came, or under --rail. What is missing then is the
// report's business.
void waitForRails(const host::Reader& reader,
                  const profile::Profile& profile,
                  const ApplyOptions& options);

}  // namespace fabric::engine
