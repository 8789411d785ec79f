// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/assessment.hpp"
#include "resource/dcb/port_task.hpp"
#include "resource/dcb/state.hpp"

#include <optional>

namespace fabric::resource::dcb {

// Finding `dcb.auto-ambiguous`: more than one DSCP is on the lossless priority, and
// which of them an application in AUTO mode takes is not decided by the host. Info when
// all of them lie in the priority's own block (dscp >> 3) and include the wanted one,
// else a warning. Only DSCPs whose priority is known count.
[[nodiscard]] std::optional<Finding> autoAmbiguity(const PortTask& task,
                                                   const State& found);

}  // namespace fabric::resource::dcb
