// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/facts.hpp"
#include "host/host.hpp"
#include "profile/profile.hpp"

#include <span>

namespace fabric::facts {

// Looks at everything of one machine. `profiles` are those of this site: what they name
// (a unit, a program, a module) is looked at too. Reads only.
[[nodiscard]] Facts takeFacts(const host::Reader& machine,
                              std::span<const profile::Profile> profiles);

}  // namespace fabric::facts
