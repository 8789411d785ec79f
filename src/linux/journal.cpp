// SPDX-License-Identifier: Apache-2.0
#include "linux/journal.hpp"

#include "linux/journal_access.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fabric::linux_host {

namespace {

constexpr std::size_t kMostEntries = 1000;
// What a look at lines reads at most, wanted or not: some seconds of a slow disk.
constexpr std::size_t kMostRead = 200'000;

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
    TRY(addMatches(journal, bad));
    TRY(checked(sd_journal_add_conjunction(journal)));
    TRY(addMatches(journal, direct));
    TRY(checked(sd_journal_add_disjunction(journal)));
    return addMatches(journal, early);
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
    TRY(addMatches(journal, boot));
    TRY(checked(sd_journal_add_conjunction(journal)));
    TRY(addMatches(journal, kernel));
    for (const auto& group : {own, about, ourselves}) {
        TRY(checked(sd_journal_add_disjunction(journal)));
        TRY(addMatches(journal, group));
    }
    return {};
}

host::JournalLine lineOf(sd_journal* journal) {
    std::uint64_t wallUs = 0;
    static_cast<void>(sd_journal_get_realtime_usec(journal, &wallUs));
    const bool kernel = fieldOf(journal, "_TRANSPORT") == "kernel";
    std::string unit = fieldOf(journal, "UNIT");
    unit = unit.empty() ? fieldOf(journal, "_SYSTEMD_UNIT") : unit;
    unit = unit.empty() ? fieldOf(journal, "SYSLOG_IDENTIFIER") : unit;
    return {.wallUs = static_cast<std::int64_t>(wallUs),
            .source = kernel ? "kernel" : unit,
            .message = fieldOf(journal, "MESSAGE")};
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
        entries.push_back({.message = fieldOf(journal.get(), "MESSAGE"),
                           .messageId = fieldOf(journal.get(), "MESSAGE_ID"),
                           .unit = fieldOf(journal.get(), "UNIT")});
    }
    return entries;
}

Result<host::JournalLines> SystemJournal::lines(const host::JournalQuery& query) const {
    const Journal journal = TRY(openJournal());
    TRY(narrowTo(journal.get(), query));
    TRY(checked(sd_journal_seek_tail(journal.get())));
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
