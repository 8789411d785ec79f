// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace fabric::linux_host {

// Who a child process is to be.
struct ChildIdentity {
    uid_t user = 0;
    gid_t group = 0;
    std::vector<gid_t> groups;
};

struct ChildRequest {
    std::string program;                      // absolute
    std::string argument;                     // the only one
    const ChildIdentity* identity = nullptr;  // nullptr: as the caller
    std::chrono::milliseconds deadline{};
    std::size_t outputLimit = 0;  // bytes; what comes after is thrown away
};

struct ChildOutcome {
    std::string output;  // of both streams
    int exitStatus = 0;
};

// Starts the program without a shell, in a process group of its own, with a bare
// environment, closed standard input and no way to gain privileges, and sees it end.
// Whatever of the group is left at the deadline is killed.
[[nodiscard]] Result<ChildOutcome> runBounded(const ChildRequest& request);

}  // namespace fabric::linux_host
