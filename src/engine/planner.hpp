// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/step.hpp"

#include <vector>

namespace fabric::engine {

// The order of writing: host-wide modules and ACS, then rail by rail in the order of
// resource::Stage, then host-wide service. Rail after rail, so that all steps that
// bounce a link come together and two rails are never down for one reason. Within a
// stage the order given by the resource is kept. Pure.
[[nodiscard]] std::vector<resource::Step> orderSteps(std::vector<resource::Step> steps);

}  // namespace fabric::engine
