// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/delayed_commands.hpp"
#include "linux/systemd_bus.hpp"

namespace fabric::linux_host {

// Delayed commands as transient timers of systemd, each with a service of its name.
// They outlive this process, its session and a reload of systemd, and end with the
// boot. ErrorKind::notFound where there is no systemd to ask.
class SystemdTimers : public host::DelayedCommands {
  public:
    explicit SystemdTimers(const SystemdBus& bus) : bus_(&bus) {}

    [[nodiscard]] Result<host::CommandKeeper> arm(
        const host::DelayedCommand& command) override;
    [[nodiscard]] Result<void> disarm(const host::CommandKeeper& keeper) override;
    [[nodiscard]] Result<void> release(const host::CommandKeeper& keeper) override;

  private:
    [[nodiscard]] Result<void> start(const host::DelayedCommand& command);
    [[nodiscard]] Result<void> verify(const host::DelayedCommand& command);
    [[nodiscard]] Result<void> stop(const std::string& unit);

    const SystemdBus* bus_;
};

}  // namespace fabric::linux_host
