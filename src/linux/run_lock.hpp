// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/run_lock.hpp"

#include <string>

namespace fabric::linux_host {

// flock(2) on one file, /run/fabricctl/lock by default. The holder writes its process
// id and command into the file, so that a second run can name it; the lock itself is
// the kernel's and ends with the process.
class FileRunLocks : public host::RunLocks {
  public:
    // `command` is what the holder is called in the message of a run that is refused.
    FileRunLocks(std::string directory, std::string command);

    Result<std::unique_ptr<host::RunLock>> exclusive(
        std::chrono::milliseconds wait) override;
    Result<std::unique_ptr<host::RunLock>> shared(
        std::chrono::milliseconds wait) override;

  private:
    std::string directory_;
    std::string command_;
};

}  // namespace fabric::linux_host
