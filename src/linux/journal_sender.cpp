// SPDX-License-Identifier: Apache-2.0
#include "linux/journal_sender.hpp"

#include <systemd/sd-daemon.h>
// The macros of the header add this file's position to every entry, which says nothing.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <sys/uio.h>
#include <systemd/sd-journal.h>

#include <vector>

namespace fabric::linux_host {

Result<void> sendToJournal(std::span<const JournalField> fields) {
    std::vector<std::string> texts;
    texts.reserve(fields.size());
    std::vector<iovec> parts;
    for (const auto& [name, value] : fields) {
        std::string& text = texts.emplace_back(name + "=" + value);
        parts.push_back({.iov_base = text.data(), .iov_len = text.size()});
    }
    const int error = sd_journal_sendv(parts.data(), static_cast<int>(parts.size()));
    return error < 0 ? Result<void>(fail(
                           systemError("write an entry to", "the journal", -error)))
                     : Result<void>();
}

void extendStartTimeout(std::uint64_t microseconds) {
    const std::string text = "EXTEND_TIMEOUT_USEC=" + std::to_string(microseconds);
    // Without NOTIFY_SOCKET, or when nobody takes it, there is no timeout to extend.
    static_cast<void>(sd_notify(0, text.c_str()));
}

}  // namespace fabric::linux_host
