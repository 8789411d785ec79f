// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/evidence.hpp"
#include "engine/report.hpp"
#include "switch/cumulus.hpp"
#include "switch/nvue_output.hpp"

#include <string>
#include <vector>

namespace fabric::switches {

enum class Agreement { agrees, disagrees, unknown };

// One thing that switch, host and server must have alike.
struct Check {
    std::string id;     // "pfc-priority"
    std::string where;  // "switch", "rail0", "AIStor on rail0"
    Agreement agreement = Agreement::unknown;
    std::string wanted;
    std::string found;
    std::string fix;  // the next command; "" when it agrees
};

struct Verdict {
    std::string profile;
    std::vector<Check> checks;
    std::vector<std::string> problems;  // what could not be looked at as a whole

    // 2 when something disagrees, 6 when something is unknown, which is worse; else 0.
    [[nodiscard]] engine::ExitCode exitCode() const;
};

// The switch against the profile.
void judgeSwitch(const Wish& wish, const NvueValues& values, Verdict& verdict);

// Each rail of a host against the switch: priorities with PFC, trust, the priority of
// the DSCP, and what AIStor takes by itself (AUTO) on it. What the switch does not tell
// was said by judgeSwitch() and is measured by the profile here.
void judgeRails(const Wish& wish,
                const NvueValues& values,
                const std::vector<doctor::RailEvidence>& rails,
                Verdict& verdict);

}  // namespace fabric::switches
