// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <span>
#include <string>
#include <utility>

namespace fabric::linux_host {

// A field of a journal entry: an upper-case name and any text.
using JournalField = std::pair<std::string, std::string>;

// One structured entry (sd_journal_sendv(3)). Nobody listening is success: a host
// without systemd has no journal.
[[nodiscard]] Result<void> sendToJournal(std::span<const JournalField> fields);

// Gives a unit that is still starting more time: systemd counts TimeoutStartSec= anew
// from now (EXTEND_TIMEOUT_USEC, sd_notify(3)). Nothing outside a unit.
void extendStartTimeout(std::uint64_t microseconds);

}  // namespace fabric::linux_host
