// SPDX-License-Identifier: Apache-2.0
#include "linux/journal.hpp"

#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <span>
#include <string_view>

namespace fabric::linux_host {

namespace {

constexpr std::size_t kMostEntries = 1000;
// What a look at lines reads at most, wanted or not: some seconds of a slow disk.
constexpr std::size_t kMostRead = 200'000;

struct JournalEnd {
    void operator()(sd_journal* journal) const { sd_journal_close(journal); }
};

using Journal = std::unique_ptr<sd_journal, JournalEnd>;

Error journalError(std::string_view action, int negativeErrno) {
    Error error = systemError(std::string(action), "this system", -negativeErrno);
    error.advice = "run as root or as a member of group systemd-journal";
    return error;
}

std::string field(sd_journal* journal, const char* name) {
    const void* data = nullptr;
    std::size_t length = 0;
    if (sd_journal_get_data(journal, name, &data, &length) < 0) {
        return {};
    }
    const std::string_view text(static_cast<const char*>(data), length);
    return std::string(text.substr(text.find('=') + 1));
}

Result<std::string> bootMatch() {
    sd_id128_t boot{};
    if (const int error = sd_id128_get_boot(&boot); error < 0) {
        return fail(journalError("read the boot id", error));
    }
    std::array<char, SD_ID128_STRING_MAX> text{};
    return "_BOOT_ID=" + std::string(sd_id128_to_string(boot, text.data()));
}

Result<void> add(sd_journal* journal, std::span<const std::string> matches) {
    for (const std::string& match : matches) {
        if (const int error = sd_journal_add_match(journal, match.data(), match.size());
            error < 0) {
            return fail(journalError("search the journal", error));
        }
    }
    return {};
}

Result<void> combine(int error) {
    return error < 0 ? Result<void>(fail(journalError("search the journal", error)))
                     : Result<void>();
}

// Matches of one field are alternatives, different fields must all hold. What process 1
// says before journald runs, the order of the boot among it, goes through the kernel's
// log: such entries have no _PID (src/journal/journald-kmsg.c of systemd).
Result<void> narrow(sd_journal* journal) {
    const std::array<std::string, 6> bad{TRY(bootMatch()),
                                         "PRIORITY=0",
                                         "PRIORITY=1",
                                         "PRIORITY=2",
                                         "PRIORITY=3",
                                         "PRIORITY=4"};
    const std::array<std::string, 1> direct{"_PID=1"};
    const std::array<std::string, 2> early{"_TRANSPORT=kernel",
                                           "SYSLOG_IDENTIFIER=systemd"};
    TRY(add(journal, bad));
    TRY(combine(sd_journal_add_conjunction(journal)));
    TRY(add(journal, direct));
    TRY(combine(sd_journal_add_disjunction(journal)));
    return add(journal, early);
}

// Lines of the kernel, of the units, of process 1 about the units, and of this program.
// Matches of one field that follow one another are alternatives.
Result<void> narrowTo(sd_journal* journal, const host::JournalQuery& query) {
    std::vector<std::string> own;
    std::vector<std::string> about{"_PID=1"};
    for (const std::string& unit : query.units) {
        own.push_back("_SYSTEMD_UNIT=" + unit);
        about.push_back("UNIT=" + unit);
    }
    // Nobody is meant by process 1 alone.
    about = own.empty() ? own : about;
    const std::array<std::string, 1> boot{TRY(bootMatch())};
    const std::array<std::string, 1> kernel{"_TRANSPORT=kernel"};
    const std::vector<std::string> ourselves{"SYSLOG_IDENTIFIER=fabricctl"};
    TRY(add(journal, boot));
    TRY(combine(sd_journal_add_conjunction(journal)));
    TRY(add(journal, kernel));
    for (const auto& group : {own, about, ourselves}) {
        TRY(combine(sd_journal_add_disjunction(journal)));
        TRY(add(journal, group));
    }
    return {};
}

host::JournalLine lineOf(sd_journal* journal) {
    std::uint64_t wallUs = 0;
    static_cast<void>(sd_journal_get_realtime_usec(journal, &wallUs));
    const bool kernel = field(journal, "_TRANSPORT") == "kernel";
    std::string unit = field(journal, "UNIT");
    unit = unit.empty() ? field(journal, "_SYSTEMD_UNIT") : unit;
    unit = unit.empty() ? field(journal, "SYSLOG_IDENTIFIER") : unit;
    return {.wallUs = static_cast<std::int64_t>(wallUs),
            .source = kernel ? "kernel" : unit,
            .message = field(journal, "MESSAGE")};
}

// Files that may not be opened are left out by the library without an error.
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
        return fail(journalError("find the journal", -ENOENT));
    }
    return journal;
}

}  // namespace

Result<std::vector<host::JournalEntry>> SystemJournal::managerProblems() const {
    const Journal journal = TRY(openJournal());
    TRY(narrow(journal.get()));
    std::vector<host::JournalEntry> entries;
    while (entries.size() < kMostEntries) {
        const int step = sd_journal_next(journal.get());
        if (step < 0) {
            return fail(journalError("read the journal", step));
        }
        if (step == 0) {
            break;
        }
        entries.push_back({.message = field(journal.get(), "MESSAGE"),
                           .messageId = field(journal.get(), "MESSAGE_ID"),
                           .unit = field(journal.get(), "UNIT")});
    }
    return entries;
}

Result<host::JournalLines> SystemJournal::lines(const host::JournalQuery& query) const {
    const Journal journal = TRY(openJournal());
    TRY(narrowTo(journal.get(), query));
    TRY(combine(sd_journal_seek_tail(journal.get())));
    host::JournalLines found;
    std::size_t bytes = 0;
    for (std::size_t read = 0;; ++read) {
        const int step = sd_journal_previous(journal.get());
        if (step < 0) {
            return fail(journalError("read the journal", step));
        }
        found.cut = step > 0 && read == kMostRead;
        if (step == 0 || found.cut) {
            break;
        }
        host::JournalLine line = lineOf(journal.get());
        if (line.source == "kernel" &&
            !(query.ofKernel && query.ofKernel(line.message))) {
            continue;
        }
        bytes += line.message.size();
        found.cut = found.lines.size() == query.lines || bytes > query.bytes;
        if (found.cut) {
            break;
        }
        found.lines.push_back(std::move(line));
    }
    std::ranges::reverse(found.lines);
    return found;
}

}  // namespace fabric::linux_host
