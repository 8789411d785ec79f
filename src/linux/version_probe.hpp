// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/program_probe.hpp"

#include <chrono>
#include <string>

namespace fabric::linux_host {

inline constexpr std::chrono::milliseconds kProbeDeadline{5000};
inline constexpr const char* kProbeDirectory = "/run/fabricctl/program-version";

// Runs `PROGRAM --version`. What it said is kept in a file of root's, together with
// device, inode, size and change time of the program and the user it ran as, and is
// believed as long as these are the same: a check every few minutes starts nothing.
class VersionProbe : public host::ProgramProbe {
  public:
    explicit VersionProbe(std::string directory = kProbeDirectory,
                          std::chrono::milliseconds deadline = kProbeDeadline);

    // A caller who is not root asks as himself, whatever `user` says, and keeps
    // nothing.
    [[nodiscard]] Result<host::ProgramVersion> version(
        std::string_view program, std::string_view user) const override;

  private:
    std::string directory_;
    std::chrono::milliseconds deadline_;
};

}  // namespace fabric::linux_host
