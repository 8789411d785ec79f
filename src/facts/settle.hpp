// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"
#include "facts/replay.hpp"
#include "host/files.hpp"
#include "profile/profile.hpp"

#include <string>

namespace fabric::facts {

// neighbours.peers-from of every rail is the asker's inventory and not a fact of the
// host: `replay` reads it with `here`, which must outlive it.
void readInventoriesHere(const host::FileReader& here,
                         const profile::Profile& profile,
                         ReplayHost& replay);

// From where a replay has its answers.
struct Origin {
    std::string file;
    std::string taken;
    std::string program;  // the version of fabricctl that took them
    std::string hostName;
};

// "from facts of node1 taken 2026-01-31T12:00:00Z, not from this host"
[[nodiscard]] std::string originText(const Origin& origin);

// What to say of questions without an answer, "" when there are none.
[[nodiscard]] std::string unansweredText(const ReplayHost& replay);

// Says in the report of a replay where it comes from, which questions stayed without an
// answer, and makes unreadable what depends on values that facts do not carry: the
// environment of the service but for a few variables.
void settle(const ReplayHost& replay,
            const profile::Profile& profile,
            const Origin& origin,
            engine::Report& report);

}  // namespace fabric::facts
