// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/history.hpp"
#include "report/text.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::report {

// RFC 3339 in UTC with milliseconds: "2026-01-31T12:00:00.250Z".
[[nodiscard]] std::string historyTime(std::chrono::system_clock::time_point time);

// One line of the history, schema "fabricctl/history/1" (fabricctl-report(5)), without
// a line end.
[[nodiscard]] std::string toHistoryLine(const engine::HistoryEntry& entry);

// What the file says: its entries in written order, and how many lines are none.
// A line of this history that lacks its end: a crash, a power cut, a full disk.
struct TornLine {
    std::string file;
    std::size_t byte = 0;  // where it begins there
    bool operator==(const TornLine&) const = default;
};

// How the wait of an apply for its confirmation ended.
struct Settlement {
    bool kept = false;  // confirmed, and not undone
    std::string time;
    int exitCode = 0;  // of the restore that undid it
    bool operator==(const Settlement&) const = default;
};

using Settlements = std::map<std::string, Settlement>;  // by run

struct History {
    std::vector<engine::HistoryEntry> entries;
    std::size_t foreignLines = 0;  // that are not of this schema
    std::vector<TornLine> tornLines = {};
    bool tornLine = false;  // one of them is the last line
    // By entries that a filter took out.
    Settlements settled = {};

    void append(History later);
};

[[nodiscard]] History parseHistory(std::string_view text, const std::string& file = {});

// Which entries are wanted; empty members select all.
struct HistoryFilter {
    std::optional<std::chrono::system_clock::time_point> since;
    std::string rail;  // its writes, and begin and end of their runs
    std::string run;   // an id, or the begin of one
};

// The runs whose ids begin so, each once, in their order.
[[nodiscard]] std::vector<std::string> runsOf(const History& history,
                                              const std::string& begin);
// The rails that were written, each once.
[[nodiscard]] std::vector<std::string> railsOf(const History& history);

// What the entries tell of those that waited.
[[nodiscard]] Settlements settlementsOf(const History& history);

[[nodiscard]] History filtered(History history, const HistoryFilter& filter);

// For people: run by run, what was found, what was written and what became of it.
[[nodiscard]] std::string toText(const History& history, const TextOptions& options);
// One JSON document: {"schema":"fabricctl/history/1","entries":[…],"foreign_lines":0,
// "torn_line":false,"torn_lines":[{"file":…,"byte":…}]}.
[[nodiscard]] std::string toJson(const History& history);

}  // namespace fabric::report
