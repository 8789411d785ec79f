// SPDX-License-Identifier: Apache-2.0
// The history of changes, one JSON document a line.
#include "fuzz/json_says.hpp"
#include "fuzz/property.hpp"
#include "report/history.hpp"

#include <nlohmann/json.hpp>

namespace fabric::report {
namespace {

using engine::HistoryEntry;
using fuzz::require;

void judgeEntry(const HistoryEntry& entry) {
    const std::string line = toHistoryLine(entry);
    require(std::ranges::all_of(line, [](char c) { return c >= ' ' && c < 0x7f; }),
            "a line is printable ASCII");
    const History again = parseHistory(line + "\n");
    require(again.entries.size() == 1 && again.entries.front() == entry,
            "an entry survives");
}

// Each entry of a line alone says what the line says.
void judgeLine(std::string_view line) {
    const History one = parseHistory(std::string(line) + "\n");
    require(one.entries.size() + one.foreignLines + one.tornLines.size() == 1 &&
                !one.tornLine,
            "a line");
    if (!one.entries.empty()) {
        judgeEntry(one.entries.front());
        require(
            fuzz::says(parseTree(line), parseTree(toHistoryLine(one.entries.front()))),
            "nothing is taken for something else");
    }
}

void judgeFilter(const History& history) {
    const HistoryEntry& last = history.entries.back();
    const HistoryFilter filter{.since = {},
                               .rail = last.write ? last.write->rail : "",
                               .run = last.run.id.substr(0, 4)};
    const History few = filtered(history, filter);
    require(std::ranges::find(few.entries, last) != few.entries.end(),
            "what is asked for is kept");
    require(filtered(few, filter).entries == few.entries, "filtering twice is once");
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const History history = parseHistory(input.text());
    const auto lines = split(input.text(), '\n');
    require(history.entries.size() + history.foreignLines + history.tornLines.size() +
                    (history.tornLine ? 0 : 1) ==
                lines.size(),
            "each line is an entry, torn or foreign");
    require(history.tornLine == !lines.back().empty(), "a last line without an end");
    // Its first line, or the whole: both in one run would be slow.
    if (input.size % 2 == 0) {
        judgeLine(lines.front());
    } else if (!history.entries.empty()) {
        judgeFilter(history);
        fuzz::requirePrintable(toText(history, {.verbose = true}));
        require(nlohmann::json::accept(toJson(history)), "a document is JSON");
    }
}

}  // namespace fabric::report
