// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/assessment.hpp"
#include "resource/dcb/port_task.hpp"
#include "resource/dcb/state.hpp"

namespace fabric::resource::dcb {

// Wanted against found on one port: assessments of what the profile owns, in the order
// of the report; the steps that repair them, in the order that the driver wants; and
// findings. Pure.
[[nodiscard]] Comparison compare(const PortTask& task, const State& found);

}  // namespace fabric::resource::dcb
