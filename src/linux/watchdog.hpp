// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/delayed_commands.hpp"

namespace fabric::linux_host {

// Delayed commands where there is no service manager: a forked process of a session of
// its own, with nothing open, that waits on CLOCK_BOOTTIME (no clock that is set moves
// it) and then becomes the command.
class Watchdog : public host::DelayedCommands {
  public:
    [[nodiscard]] Result<host::CommandKeeper> arm(
        const host::DelayedCommand& command) override;
    [[nodiscard]] Result<void> disarm(const host::CommandKeeper& keeper) override;
    [[nodiscard]] Result<void> release(const host::CommandKeeper& keeper) override;
};

}  // namespace fabric::linux_host
