// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace fabric::host {

// What a program printed when it was asked for its version.
struct ProgramVersion {
    std::string text;  // both streams; cut off at a bound
    int exitStatus = 0;
};

// The one child process that is allowed: `PROGRAM --version`, without a shell, as the
// given user, with a bare environment, a time limit and bounded output.
class ProgramProbe {
  public:
    virtual ~ProgramProbe() = default;
    // `user` is an account name or number, "" is root. A program that is missing is
    // ErrorKind::notFound, one that may not be executed ErrorKind::permission, one that
    // does not end in time ErrorKind::timeout; death by a signal is ErrorKind::refused.
    [[nodiscard]] virtual Result<ProgramVersion> version(
        std::string_view program, std::string_view user) const = 0;
};

}  // namespace fabric::host
