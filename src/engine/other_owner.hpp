// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"
#include "host/files.hpp"

namespace fabric::engine {

// Adds to every DCB property that is not as wanted who else may be writing it: a
// running lldpad, which owns DCB of the ports it manages. Looks at the process table
// only when there is such a property.
void nameOtherOwners(const host::FileReader& files, Report& report);

}  // namespace fabric::engine
