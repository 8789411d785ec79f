// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

// What every search of the journal needs (sd-journal(3)).
namespace fabric::linux_host {

struct JournalEnd {
    void operator()(sd_journal* journal) const { sd_journal_close(journal); }
};

using Journal = std::unique_ptr<sd_journal, JournalEnd>;

// The journal of the system. None at all is ErrorKind::notFound, one that this user may
// not read ErrorKind::permission.
[[nodiscard]] Result<Journal> openJournal();

// The failure of a call of the library, which answers with a negative errno.
[[nodiscard]] Error journalError(std::string_view action, int negativeErrno);
// `answer` of a call that prepares a search.
[[nodiscard]] Result<void> checked(int answer);

[[nodiscard]] Result<sd_id128_t> bootId();
// "_BOOT_ID=..." of this boot.
[[nodiscard]] Result<std::string> bootMatch();
[[nodiscard]] Result<void> addMatches(sd_journal* journal,
                                      std::span<const std::string> matches);

// Of the entry at which the search stands; "" when it has no such field.
[[nodiscard]] std::string fieldOf(sd_journal* journal, const char* name);

}  // namespace fabric::linux_host
