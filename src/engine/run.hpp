// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/preparation.hpp"
#include "engine/report.hpp"

namespace fabric::engine {

// A report with everything filled in that does not depend on the verb.
[[nodiscard]] Report beginReport(const host::Reader& host,
                                 std::string command,
                                 const profile::Profile& profile);
// Closes it: host, boot id, duration.
void finishReport(const host::Reader& host,
                  const Preparation& preparation,
                  std::chrono::steady_clock::time_point start,
                  Report& report);

// Drift against the profile. Writes nothing. `boot` is what is to be said about this
// boot beside it.
[[nodiscard]] Report check(const host::Reader& host,
                           const profile::Profile& profile,
                           const RunOptions& options,
                           resource::Comparison boot = {});
// What `apply` would do and why. Writes nothing; the steps are in order.
[[nodiscard]] Report plan(const host::Reader& host,
                          const profile::Profile& profile,
                          const RunOptions& options);

}  // namespace fabric::engine
