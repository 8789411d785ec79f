// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace fabric::host {

// A command that runs after a delay, whatever becomes of this process.
struct DelayedCommand {
    std::string name;  // of units: letters, digits, '-'; "fabricctl-confirm-ID"
    std::string what;  // for people
    std::vector<std::string> arguments;  // the program first, by its whole path
    std::chrono::milliseconds delay{};
};

// What holds an armed command: a timer unit of the service manager, or a process of our
// own where there is no service manager.
struct CommandKeeper {
    std::string timer;               // "NAME.timer", "" a process
    std::uint32_t process = 0;       // 0: a timer unit
    std::uint64_t processStart = 0;  // clock ticks since the boot, tells it from others
    bool operator==(const CommandKeeper&) const = default;
};

class DelayedCommands {
  public:
    virtual ~DelayedCommands() = default;
    // Arms a command, and returns when it was seen to be armed. After an error it is
    // not, or was taken back.
    [[nodiscard]] virtual Result<CommandKeeper> arm(const DelayedCommand& command) = 0;
    // Ends it, also when it runs already, and returns when it was seen to be gone. One
    // that is gone already is success.
    [[nodiscard]] virtual Result<void> disarm(const CommandKeeper& keeper) = 0;
    // For whoever did what the command would do: ends the wait for it. The command
    // itself may call this, and is not ended by it.
    [[nodiscard]] virtual Result<void> release(const CommandKeeper& keeper) = 0;
};

}  // namespace fabric::host
