// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/journal.hpp"
#include "resource/assessment.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::engine {

// What systemd said about circles in the order of units, in the words of every version
// (src/core/transaction.c of systemd): up to 256 one line per unit of the circle, later
// one line for all, both with a line for the job that was taken out; newer ones carry
// MESSAGE_IDs.
struct OrderingCycles {
    std::vector<std::string> deleted;   // units whose job was taken out, as told
    std::vector<std::string> messages;  // every line about a circle, in order

    // True when a line about a circle names this unit.
    [[nodiscard]] bool mentions(std::string_view unit) const;
};

// Whether an entry of the service manager is one of these lines.
[[nodiscard]] bool isAboutCycle(const host::JournalEntry& entry);

[[nodiscard]] OrderingCycles findOrderingCycles(
    std::span<const host::JournalEntry> entries);

// One finding per deleted job that is one of `units` (fail), else one when a circle
// only mentions them (warn). Circles of other units are nobody's business here. Pure.
[[nodiscard]] std::vector<resource::Finding> cycleFindings(
    const OrderingCycles& cycles, std::span<const std::string> units);

}  // namespace fabric::engine
