// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "report/history.hpp"
#include "report/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fabric::report {

namespace {

using engine::HistoryEntry;
using engine::HistoryRun;
using engine::HistoryWrite;

constexpr std::size_t kShownDigits = 12;  // of a hash

std::string waitText(const HistoryRun& run, const Settlements& settled) {
    const std::string deadline = escapeForTerminal(run.confirmUntil);
    const auto known = settled.find(run.id);
    if (known == settled.end()) {
        return fmt::format("  to be undone at {}, unless it is confirmed\n", deadline);
    }
    const Settlement& end = known->second;
    const std::string time = escapeForTerminal(end.time);
    if (end.kept) {
        return fmt::format("  confirmed at {} (in time until {})\n", time, deadline);
    }
    return end.exitCode == 0
               ? fmt::format("  undone at {} (it waited until {})\n", time, deadline)
               : fmt::format(
                     "  undone in part only at {}, exit {} (it waited until {})\n",
                     time,
                     end.exitCode,
                     deadline);
}

std::string lowerRun(const HistoryRun& run, const Settlements& settled) {
    const std::string login =
        run.loginUser ? fmt::format("login uid {}", *run.loginUser) : "no login";
    std::string text =
        fmt::format("  uid {}, {}, process {}\n", run.user, login, run.process);
    for (const engine::HashedFile& file : run.profile) {
        text += fmt::format("  {} {} (sha256 {})\n",
                            &file == &run.profile.front() ? "profile" : "extends",
                            escapeForTerminal(file.path),
                            escapeForTerminal(file.sha256.substr(0, kShownDigits)));
    }
    if (!run.restores.empty()) {
        text += fmt::format("  puts back {}\n", escapeForTerminal(run.restores));
    }
    if (!run.confirmUntil.empty()) {
        text += waitText(run, settled);
    }
    return text;
}

// Which lines are missing, and where they would stand.
std::string tornText(const std::vector<TornLine>& lines) {
    constexpr std::size_t kShown = 4;
    std::string text;
    for (const TornLine& line : lines) {
        text += text.empty() ? "\n" : "";
        if (&line == &lines.front() + kShown) {
            return text + fmt::format("and {} more\n", lines.size() - kShown);
        }
        text += fmt::format(
            "a line is cut off (a crash, or a full disk) and was left out: {} byte "
            "{}\n",
            escapeForTerminal(line.file),
            line.byte);
    }
    return text;
}

class HistoryText {
  public:
    HistoryText(const TextOptions& options, Settlements settled)
        : palette_(options.color),
          verbose_(options.verbose),
          quiet_(options.quiet),
          settled_(std::move(settled)) {}

    // All entries of one process in one run.
    std::string run(const std::vector<const HistoryEntry*>& entries) {
        const HistoryEntry& first = *entries.front();
        std::string text = fmt::format(
            "{} {}  {}\n",
            escapeForTerminal(first.time),
            palette_.paint(Tone::strong, escapeForTerminal(first.run.command)),
            escapeForTerminal(first.run.id));
        text += lowerRun(first.run, settled_);
        bool ended = false;
        std::string step;
        for (const HistoryEntry* entry : entries) {
            if (entry->write) {
                text += write(*entry->write, step);
            }
            if (entry->end) {
                text += end(*entry);
                ended = true;
            }
        }
        return text + (ended ? "" : unended());
    }

  private:
    std::string write(const HistoryWrite& write, std::string& step) const {
        const std::string title =
            fmt::format("  {}  {}\n",
                        escapeForTerminal(write.rail.empty() ? "host" : write.rail),
                        escapeForTerminal(write.summary));
        const std::string number = fmt::format("{}{}", write.step, title);
        const bool shown = !quiet_ || !write.accepted;
        std::string text;
        if (shown && number != step) {
            step = number;
            text += title;
            for (const engine::HistoryChange& change : write.changes) {
                text += fmt::format("    {}: {} -> {}\n",
                                    escapeForTerminal(change.id),
                                    change.old.toText(),
                                    change.wanted.toText());
            }
        }
        if (verbose_ || !write.accepted) {
            text += fmt::format("    wrote {}\n", write.wrote.toText());
        }
        if (!write.accepted) {
            text += fmt::format("    {}: {}\n",
                                palette_.paint(Tone::bad, "refused"),
                                escapeForTerminal(write.message));
        } else if (shown && !write.message.empty()) {
            text += fmt::format("    note: {}\n", escapeForTerminal(write.message));
        }
        return text;
    }

    [[nodiscard]] std::string end(const HistoryEntry& entry) const {
        const Tone tone = entry.end->exitCode == 0 ? Tone::good : Tone::bad;
        std::string text =
            fmt::format("  {}: {}, exit {}\n",
                        escapeForTerminal(entry.time),
                        palette_.paint(tone, escapeForTerminal(entry.end->result)),
                        entry.end->exitCode);
        if (entry.end->lostLines > 0) {
            text += fmt::format("  {} of its lines could not be written\n",
                                entry.end->lostLines);
        }
        return text;
    }

    [[nodiscard]] std::string unended() const {
        return fmt::format(
            "  {}: it was killed, or it still runs; the write under way "
            "may lack its line\n",
            palette_.paint(Tone::bad, "no end"));
    }

    Palette palette_;
    bool verbose_;
    bool quiet_;
    Settlements settled_;
};

}  // namespace

std::string toText(const History& history, const TextOptions& options) {
    // Whoever confirms a run writes under its id: his end is not that of the run.
    using Key = std::tuple<std::string, std::string, std::uint32_t>;
    std::vector<Key> order;
    std::map<Key, std::vector<const HistoryEntry*>> runs;
    for (const HistoryEntry& entry : history.entries) {
        Key key{entry.run.id, entry.run.command, entry.run.process};
        auto& entries = runs[key];
        if (entries.empty()) {
            order.push_back(std::move(key));
        }
        entries.push_back(&entry);
    }
    HistoryText printer(options, settlementsOf(history));
    std::string text;
    for (const Key& run : order) {
        text += (text.empty() ? "" : "\n") + printer.run(runs[run]);
    }
    if (order.empty()) {
        text += "no changes\n";
    }
    if (history.foreignLines > 0) {
        text += fmt::format("\n{} lines are not of this history and were left out\n",
                            history.foreignLines);
    }
    return text + tornText(history.tornLines);
}

}  // namespace fabric::report
