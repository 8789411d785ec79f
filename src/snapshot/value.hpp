// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "snapshot/item.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What was read, as reports carry it.
namespace fabric::snapshot {

[[nodiscard]] Value valueOf(DcbConcern concern,
                            const resource::dcb::State& state,
                            const std::vector<resource::dcb::AppEntry>& apps);
[[nodiscard]] Value valueOf(const host::PauseParameters& pause);
[[nodiscard]] Value valueOf(const host::Ipv4Values& values);
// "absent", or size, digest, mode and owner.
[[nodiscard]] Value valueOf(const std::optional<FileContent>& content);
// Commands, assertions and the limit of locked memory, as a unit file writes them.
[[nodiscard]] Value valueOf(const UnitInForce& unit);
[[nodiscard]] Value valueOf(const Thing& thing);

// What the thing is the same by; "" when its label says it all.
[[nodiscard]] std::string identityOf(const Thing& thing);

// "ecn/roce_np/enable/3": what follows the device's name in a place.
[[nodiscard]] std::string shortName(std::string_view place);

}  // namespace fabric::snapshot
