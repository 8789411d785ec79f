// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inventory/platform.hpp"
#include "snapshot/snapshot.hpp"

#include <cstdint>
#include <optional>

namespace fabric::snapshot {

// Why a process with these capabilities (CapEff) cannot put everything back that the
// snapshot holds; std::nullopt when it can. Asked before the first write: half a
// restore is worse than none. Pure.
[[nodiscard]] std::optional<Error> missingCapability(
    const Snapshot& snapshot,
    const inventory::Platform& platform,
    std::uint64_t capabilities);

}  // namespace fabric::snapshot
