// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "host/run_lock.hpp"

#include <memory>

namespace fabric::cli {

// The run lock, waited for as --lock-wait says; a person is told at once for whom.
[[nodiscard]] Result<std::unique_ptr<host::RunLock>> lockToWrite(
    host::RunLocks& locks, const Options& options);
// For `check`, which runs beside other checks.
[[nodiscard]] Result<std::unique_ptr<host::RunLock>> lockToRead(host::RunLocks& locks,
                                                                const Options& options);

// An apply waits to be confirmed, which no --lock-wait waits for: says so to whoever
// gave one.
[[nodiscard]] Error notWaitedFor(Error pending, const Options& options);

}  // namespace fabric::cli
