// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/assessment.hpp"
#include "resource/dcb/port_task.hpp"
#include "resource/dcb/state.hpp"

// One pure comparison per concern. Each adds the assessments that the profile owns, the
// step that repairs them, and findings. Steps of one port are added in the order in
// which its driver wants them.
namespace fabric::resource::dcb {

void compareDcbx(const PortTask& task, const State& found, Comparison& out);

// Whether steps planned before reset PFC and ETS, so that equal values must be written
// again (ice falls back to its defaults when the last DSCP entry goes).
enum class Earlier { keeps, resets };

void compareEts(const PortTask& task,
                const State& found,
                Earlier earlier,
                Comparison& out);
void compareMaxRate(const PortTask& task, const State& found, Comparison& out);
// PFC and cable length, which share one message.
void comparePfc(const PortTask& task,
                const State& found,
                Earlier earlier,
                Comparison& out);
// Priority to buffer and buffer sizes, which share one message.
void compareBuffers(const PortTask& task, const State& found, Comparison& out);
// Trust and the DSCP map.
[[nodiscard]] Earlier compareClassification(const PortTask& task,
                                            const State& found,
                                            Comparison& out);

// The ETS that results when the owned fields are laid over what is there. A class with
// an owned bandwidth is an ETS class unless the profile says otherwise, and an ETS
// class without one gets 0 percent, since the shares of all must sum to 100.
[[nodiscard]] Ets targetEts(const profile::Ets& wanted, const Ets& found);

}  // namespace fabric::resource::dcb
