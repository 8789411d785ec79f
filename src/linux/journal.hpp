// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/journal.hpp"

namespace fabric::linux_host {

// The journal of the running system through libsystemd (sd-journal(3)).
class SystemJournal : public host::JournalReader {
  public:
    [[nodiscard]] Result<std::vector<host::JournalEntry>> managerProblems()
        const override;
    // Also what this program said, from whichever unit it ran.
    [[nodiscard]] Result<host::JournalLines> lines(
        const host::JournalQuery& query) const override;
};

}  // namespace fabric::linux_host
