// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "snapshot/item.hpp"
#include "snapshot/json_reader.hpp"

namespace fabric::snapshot {

// What an item of a snapshot's JSON holds, told by the member that only this thing has.
[[nodiscard]] Result<Thing> toThing(const Json& item);

}  // namespace fabric::snapshot
