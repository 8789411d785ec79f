// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "host/host.hpp"
#include "snapshot/item.hpp"

#include <string_view>

namespace fabric::snapshot {

// What a snapshot keeps of a unit, as the manager says it now. A unit that is not
// loaded is ErrorKind::notFound.
[[nodiscard]] Result<UnitInForce> readUnit(const host::Reader& host,
                                           std::string_view unit);

}  // namespace fabric::snapshot
