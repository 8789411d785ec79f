// SPDX-License-Identifier: Apache-2.0
#include "linux/journal_access.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace fabric::linux_host {

namespace {

// Files that may not be opened are left out by the library without an error.
int whyThereIsNone() {
    const bool kept = ::access("/run/log/journal", F_OK) == 0 ||
                      ::access("/var/log/journal", F_OK) == 0;
    return kept && ::geteuid() != 0 ? -EACCES : -ENOENT;
}

}  // namespace

Error journalError(std::string_view action, int negativeErrno) {
    Error error = systemError(std::string(action), "this system", -negativeErrno);
    error.advice = "run as root or as a member of group systemd-journal";
    return error;
}

Result<void> checked(int answer) {
    return answer < 0 ? Result<void>(fail(journalError("search the journal", answer)))
                      : Result<void>();
}

Result<Journal> openJournal() {
    sd_journal* opened = nullptr;
    if (const int error =
            sd_journal_open(&opened, SD_JOURNAL_LOCAL_ONLY | SD_JOURNAL_SYSTEM);
        error < 0) {
        return fail(journalError("open the journal", error));
    }
    Journal journal(opened);
    const int runtime = sd_journal_has_runtime_files(opened);
    const int persistent = sd_journal_has_persistent_files(opened);
    if (runtime <= 0 && persistent <= 0) {
        return fail(journalError("find the journal", whyThereIsNone()));
    }
    return journal;
}

Result<sd_id128_t> bootId() {
    sd_id128_t boot{};
    if (const int error = sd_id128_get_boot(&boot); error < 0) {
        return fail(journalError("read the boot id", error));
    }
    return boot;
}

Result<std::string> bootMatch() {
    const sd_id128_t boot = TRY(bootId());
    std::array<char, SD_ID128_STRING_MAX> text{};
    return "_BOOT_ID=" + std::string(sd_id128_to_string(boot, text.data()));
}

Result<void> addMatches(sd_journal* journal, std::span<const std::string> matches) {
    for (const std::string& match : matches) {
        TRY(checked(sd_journal_add_match(journal, match.data(), match.size())));
    }
    return {};
}

std::string fieldOf(sd_journal* journal, const char* name) {
    const void* data = nullptr;
    std::size_t length = 0;
    if (sd_journal_get_data(journal, name, &data, &length) < 0) {
        return {};
    }
    const std::string_view text(static_cast<const char*>(data), length);
    return std::string(text.substr(text.find('=') + 1));
}

}  // namespace fabric::linux_host
