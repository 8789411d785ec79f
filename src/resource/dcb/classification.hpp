// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/dcb/concerns.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/dscp_plan.hpp"
#include "resource/dcb/port_task.hpp"
#include "resource/dcb/state.hpp"
#include "resource/dcb/trust.hpp"

#include <string_view>
#include <vector>

namespace fabric::resource::dcb {

inline constexpr std::string_view kTrustFlip =
    "; this switches trust for all traffic of the port";

// One port's classification while it is compared.
struct Classification {
    const PortTask& task;
    const State& found;
    const DriverFacts& driver;
    TrustView view;
    DscpEntries listed;
    bool ownsTrust = false;
    bool ownsMap = false;
    Assessment trust;  // when owned
    Assessment map;    // when owned
    std::vector<Step> steps;
    std::vector<Finding> findings;
    Earlier earlier = Earlier::keeps;
};

// Steps that reset PFC and ETS come before those are set.
[[nodiscard]] inline Stage stageOf(const DriverFacts& driver) {
    return driver.lastEntryResets ? Stage::dcbx : Stage::classification;
}

// Verdict of the DSCP map, and its step. Where trust follows from entries, that step
// serves trust too.
void judgeMap(Classification& now);
// Verdict of trust; the step is added by repairTrust, after the map was judged.
void judgeTrust(Classification& now);
void repairTrust(Classification& now);

}  // namespace fabric::resource::dcb
