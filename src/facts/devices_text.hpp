// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/observed.hpp"

#include <string>

namespace fabric::facts {

// What ibv_devinfo -v tells of each RDMA device, in its layout, from the facts alone.
// What they do not hold is "unknown".
[[nodiscard]] std::string devicesText(const Observed& seen);

}  // namespace fabric::facts
