// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/systemd_timers.hpp"
#include "linux/watchdog.hpp"

namespace fabric::linux_host {

// systemd where there is one, else a process of our own.
class TimersOrWatchdog : public host::DelayedCommands {
  public:
    explicit TimersOrWatchdog(const SystemdBus& bus) : timers_(bus) {}

    [[nodiscard]] Result<host::CommandKeeper> arm(
        const host::DelayedCommand& command) override {
        auto keeper = timers_.arm(command);
        const bool nobodyThere = !keeper && keeper.error().kind == ErrorKind::notFound;
        return nobodyThere ? watchdog_.arm(command) : keeper;
    }

    [[nodiscard]] Result<void> disarm(const host::CommandKeeper& keeper) override {
        return keeper.process == 0 ? timers_.disarm(keeper) : watchdog_.disarm(keeper);
    }

    [[nodiscard]] Result<void> release(const host::CommandKeeper& keeper) override {
        return keeper.process == 0 ? timers_.release(keeper)
                                   : watchdog_.release(keeper);
    }

  private:
    SystemdTimers timers_;
    Watchdog watchdog_;
};

// The program that runs now, by its path. ErrorKind::notFound when it was replaced or
// removed meanwhile.
[[nodiscard]] Result<std::string> ownProgram();

}  // namespace fabric::linux_host
