// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <memory>

namespace fabric::host {

// Held while it lives; the kernel frees it when the process dies, however it dies.
class RunLock {
  public:
    virtual ~RunLock() = default;
};

// The lock between runs on one host. A failure to get it in time is ErrorKind::busy and
// names the holder.
class RunLocks {
  public:
    virtual ~RunLocks() = default;
    // For verbs that write.
    [[nodiscard]] virtual Result<std::unique_ptr<RunLock>> exclusive(
        std::chrono::milliseconds wait) = 0;
    // For `check`: runs beside other checks, not beside a writer. A caller who may not
    // open the lock gets none (nullptr): he can only read.
    [[nodiscard]] virtual Result<std::unique_ptr<RunLock>> shared(
        std::chrono::milliseconds wait) = 0;
};

}  // namespace fabric::host
