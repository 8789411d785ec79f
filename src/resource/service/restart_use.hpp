// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/service/compare.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::service {

// What of a running process is not as wanted.
struct Differing {
    bool program = false;
    bool limit = false;
    std::vector<std::string> variables;
};

// Why a restart is not to be sent, "" when it may; and what a person does first.
struct Obstacle {
    std::string reason;
    std::string fix;
    bool inVain = false;  // a restart by hand does not help either
};

// A restart that gives the process the same again: every apply would send it, and each
// is an outage. Pure.
[[nodiscard]] Obstacle restartInVain(const Look& look,
                                     const Process& process,
                                     const Differing& differing);

// What would keep the server from starting again once it is stopped, as far as files
// tell it. Pure.
[[nodiscard]] Obstacle startObstacle(const Look& look);

// The assertions of a unit that do not hold now, of those that one look at a file
// tells: systemd.unit(5), ConditionPathExists=.
[[nodiscard]] std::vector<host::ServiceAssert> failingAsserts(
    const host::FileReader& files, const host::ServiceUnit& unit);

}  // namespace fabric::resource::service
