// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "resource/assessment.hpp"

#include <optional>

namespace fabric::engine {

// The units and the sysctl file that MinIO's "Configure the RDMA fabric" page has
// people write by hand. They do parts of the same work at every boot, without proof.
// They are named with the commands that retire them, and never touched.
[[nodiscard]] std::optional<resource::Finding> guideUnits(
    const host::FileReader& files);

}  // namespace fabric::engine
