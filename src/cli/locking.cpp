// SPDX-License-Identifier: Apache-2.0
#include "cli/locking.hpp"

#include "cli/output.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <utility>

namespace fabric::cli {

namespace {

template <typename Take>
Result<std::unique_ptr<host::RunLock>> waitFor(const Options& options, Take take) {
    auto lock = take(std::chrono::milliseconds(0));
    const bool waits =
        !lock && lock.error().kind == ErrorKind::busy && options.lockWait.count() > 0;
    if (!waits) {
        return lock;
    }
    progress(
        options,
        fmt::format("waits up to {} for the run lock, {}",
                    std::chrono::duration_cast<std::chrono::seconds>(options.lockWait),
                    lock.error().detail));
    return take(options.lockWait);
}

}  // namespace

Result<std::unique_ptr<host::RunLock>> lockToWrite(host::RunLocks& locks,
                                                   const Options& options) {
    return waitFor(options, [&](auto wait) { return locks.exclusive(wait); });
}

Result<std::unique_ptr<host::RunLock>> lockToRead(host::RunLocks& locks,
                                                  const Options& options) {
    return waitFor(options, [&](auto wait) { return locks.shared(wait); });
}

Error notWaitedFor(Error pending, const Options& options) {
    if (pending.kind == ErrorKind::busy && options.lockWait.count() > 0) {
        pending.detail += "; --lock-wait waits for a run, not for a confirmation";
    }
    return pending;
}

}  // namespace fabric::cli
