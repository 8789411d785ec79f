// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/assessment.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/step.hpp"

#include <string_view>

// What a write is about.
namespace fabric::snapshot {

// The kind of resource that is written at a stage.
[[nodiscard]] resource::Kind kindOf(resource::Stage stage);

// What this program keeps for itself while the host runs: no state of the host.
[[nodiscard]] bool isOwnNote(std::string_view path);

// A file of the host that this program writes: its sysctl.d file, its list of modules,
// a drop-in or an environment file of a unit. No other is kept, and none put back.
[[nodiscard]] bool isOwnFile(std::string_view path);

// A write to it makes the driver take what was written beside it; it holds no value.
[[nodiscard]] bool isTrigger(std::string_view path);

// PFC and global pause share a register of which each setter clears the other half
// (mlx5/core/port.c, mlx5_set_port_pfc and mlx5_set_port_pause).
[[nodiscard]] bool sharesPauseWithPfc(const resource::dcb::DriverFacts& driver);

}  // namespace fabric::snapshot
