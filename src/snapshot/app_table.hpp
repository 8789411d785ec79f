// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/state.hpp"
#include "resource/step.hpp"

#include <vector>

namespace fabric::snapshot {

// The writes that turn one listed APP table into another, order included. The kernel
// puts a new entry in front (net/dcb/dcbnl.c, dcb_app_add), so that what stays is the
// longest tail of `wanted` that is there in this order; what comes is added from the
// oldest to the newest, and what goes is deleted last, so that a table with entries
// before and after is never empty of them. Pure.
[[nodiscard]] std::vector<resource::Write> appWrites(
    const std::vector<resource::dcb::AppEntry>& found,
    const std::vector<resource::dcb::AppEntry>& wanted,
    const resource::dcb::DriverFacts& driver,
    IfIndex link);

}  // namespace fabric::snapshot
