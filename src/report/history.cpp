// SPDX-License-Identifier: Apache-2.0
#include "report/history.hpp"

#include "base/text.hpp"
#include "report/json.hpp"
#include "report/json_tree.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace fabric::report {

namespace {

using engine::HistoryEntry;
using std::chrono::system_clock;

constexpr const char* kSchema = "fabricctl/history/1";
constexpr const char* kBegin = "begin";
constexpr const char* kWrite = "write";
constexpr const char* kEnd = "end";
constexpr const char* kAccepted = "accepted";
constexpr const char* kRefused = "refused";

Json profileTree(const std::vector<engine::HashedFile>& files) {
    if (files.empty()) {
        return nullptr;
    }
    Json extends = Json::array();
    for (auto file = files.begin() + 1; file != files.end(); ++file) {
        extends.push_back({{"path", file->path}, {"sha256", file->sha256}});
    }
    return {{"path", files.front().path},
            {"sha256", files.front().sha256},
            {"extends", std::move(extends)}};
}

void add(const engine::HistoryWrite& write, Json& tree) {
    tree["event"] = kWrite;
    tree["step"] = write.step;
    tree["rail"] = write.rail;
    tree["summary"] = write.summary;
    tree["changes"] = Json::array();
    for (const engine::HistoryChange& change : write.changes) {
        tree["changes"].push_back({{"id", change.id},
                                   {"old", treeOf(change.old)},
                                   {"new", treeOf(change.wanted)}});
    }
    tree["wrote"] = treeOf(write.wrote);
    tree["result"] = write.accepted ? kAccepted : kRefused;
    tree["errno"] = write.sysErrno;
    tree["message"] = write.message;
}

void add(const engine::HistoryEnd& end, Json& tree) {
    tree["event"] = kEnd;
    tree["exit_code"] = end.exitCode;
    tree["result"] = end.result;
    tree["lost_lines"] = end.lostLines;
}

Json entryTree(const HistoryEntry& entry) {
    const engine::HistoryRun& run = entry.run;
    Json tree{{"schema", kSchema},
              {"time", entry.time},
              {"run", run.id},
              {"event", kBegin},
              {"command", run.command},
              {"uid", run.user},
              {"login_uid", run.loginUser ? Json(*run.loginUser) : Json(nullptr)},
              {"pid", run.process},
              {"boot_id", run.bootId},
              {"profile", profileTree(run.profile)}};
    if (!run.restores.empty()) {
        tree["restores"] = run.restores;
    }
    if (!run.confirmUntil.empty()) {
        tree["confirm_until"] = run.confirmUntil;
    }
    if (entry.write) {
        add(*entry.write, tree);
    } else if (entry.end) {
        add(*entry.end, tree);
    }
    return tree;
}

engine::HashedFile hashedFile(const Json& tree) {
    return {.path = tree.at("path"), .sha256 = tree.at("sha256")};
}

engine::HistoryRun runOf(const Json& tree) {
    engine::HistoryRun run{.id = tree.at("run"),
                           .command = tree.at("command"),
                           .bootId = tree.at("boot_id"),
                           .user = numberAt<std::uint32_t>(tree, "uid"),
                           .loginUser = {},
                           .process = numberAt<std::uint32_t>(tree, "pid"),
                           .profile = {}};
    if (!tree.at("login_uid").is_null()) {
        run.loginUser = numberAt<std::uint32_t>(tree, "login_uid");
    }
    if (const Json& profile = tree.at("profile"); !profile.is_null()) {
        run.profile.push_back(hashedFile(profile));
        std::ranges::transform(
            listAt(profile, "extends"), std::back_inserter(run.profile), hashedFile);
    }
    if (tree.contains("restores")) {
        run.restores = tree.at("restores");
    }
    if (tree.contains("confirm_until")) {
        run.confirmUntil = tree.at("confirm_until");
    }
    return run;
}

bool wasAccepted(const Json& tree) {
    constexpr int kUnknownWord = 501;
    const Json& result = tree.at("result");
    if (result != kAccepted && result != kRefused) {
        throw Json::other_error::create(kUnknownWord, "unknown result", &result);
    }
    return result == kAccepted;
}

engine::HistoryWrite writeOf(const Json& tree) {
    engine::HistoryWrite write{.step = numberAt<std::uint64_t>(tree, "step"),
                               .rail = tree.at("rail"),
                               .summary = tree.at("summary"),
                               .changes = {},
                               .wrote = valueOf(tree.at("wrote")),
                               .accepted = wasAccepted(tree),
                               .sysErrno = numberAt<int>(tree, "errno"),
                               .message = tree.at("message")};
    for (const Json& change : listAt(tree, "changes")) {
        write.changes.push_back({.id = change.at("id"),
                                 .old = valueOf(change.at("old")),
                                 .wanted = valueOf(change.at("new"))});
    }
    return write;
}

std::optional<HistoryEntry> parseLine(std::string_view line) {
    try {
        const Json tree = parseTree(line);
        const std::string event = tree.at("event");
        const bool known = event == kBegin || event == kWrite || event == kEnd;
        if (tree.at("schema") != kSchema || !known) {
            return std::nullopt;
        }
        HistoryEntry entry{
            .time = tree.at("time"), .run = runOf(tree), .write = {}, .end = {}};
        if (event == kWrite) {
            entry.write = writeOf(tree);
        } else if (event == kEnd) {
            entry.end = {.exitCode = numberAt<int>(tree, "exit_code"),
                         .result = tree.at("result"),
                         .lostLines = numberAt<std::uint64_t>(tree, "lost_lines")};
        }
        return entry;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

// Whether an object that begins here does not end here.
bool isOpen(std::string_view line) {
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char character = line[at];
        if (character < ' ' || character > '~') {
            return false;  // a line is printable ASCII
        }
        if (quoted && character == '\\') {
            ++at;
        } else if (character == '"') {
            quoted = !quoted;
        } else if (!quoted && (character == '{' || character == '[')) {
            ++depth;
        } else if (!quoted && (character == '}' || character == ']') && --depth == 0) {
            return false;
        }
    }
    return true;
}

// The begin of a line that was written here, and not its end. What a file system had
// not yet written when the power went reads as zeros.
bool isTorn(std::string_view line) {
    const std::string begin = std::string("{\"schema\":\"") + kSchema + "\"";
    const bool zeros = line.ends_with('\0');
    line = line.substr(0, line.find_last_not_of('\0') + 1);
    if (line.empty()) {
        return zeros;
    }
    return line.size() < begin.size() ? begin.starts_with(line)
                                      : line.starts_with(begin) && isOpen(line);
}

bool touches(const HistoryEntry& entry, const std::string& rail) {
    return entry.write && entry.write->rail == rail;
}

}  // namespace

std::string historyTime(system_clock::time_point time) {
    const auto milliseconds =
        std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch());
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                       fmt::gmtime(system_clock::to_time_t(
                           std::chrono::floor<std::chrono::seconds>(time))),
                       milliseconds.count() % 1000);
}

std::string toHistoryLine(const HistoryEntry& entry) {
    // ASCII only: a terminal that shows the file itself meets no control character.
    constexpr int kOneLine = -1;
    return entryTree(entry).dump(kOneLine, ' ', true, Json::error_handler_t::replace);
}

void History::append(History later) {
    std::ranges::move(later.entries, std::back_inserter(entries));
    std::ranges::move(later.tornLines, std::back_inserter(tornLines));
    foreignLines += later.foreignLines;
    tornLine = later.tornLine;
}

History parseHistory(std::string_view text, const std::string& file) {
    History history;
    std::vector<std::string_view> lines = split(text, '\n');
    const std::string_view last = lines.back();
    history.tornLine = !last.empty();
    lines.pop_back();
    const auto addTorn = [&](std::string_view line) {
        history.tornLines.push_back(
            {.file = file,
             .byte = static_cast<std::size_t>(line.data() - text.data())});
    };
    for (const std::string_view line : lines) {
        if (auto entry = parseLine(line)) {
            history.entries.push_back(std::move(*entry));
        } else if (isTorn(line)) {
            addTorn(line);
        } else {
            ++history.foreignLines;
        }
    }
    if (history.tornLine) {
        addTorn(last);
    }
    return history;
}

std::vector<std::string> runsOf(const History& history, const std::string& begin) {
    std::vector<std::string> runs;
    for (const HistoryEntry& entry : history.entries) {
        if (entry.run.id.starts_with(begin) &&
            std::ranges::find(runs, entry.run.id) == runs.end()) {
            runs.push_back(entry.run.id);
        }
    }
    return runs;
}

std::vector<std::string> railsOf(const History& history) {
    std::set<std::string> rails;
    for (const HistoryEntry& entry : history.entries) {
        if (entry.write && !entry.write->rail.empty()) {
            rails.insert(entry.write->rail);
        }
    }
    return {rails.begin(), rails.end()};
}

Settlements settlementsOf(const History& history) {
    Settlements settled = history.settled;
    std::map<std::string, std::string> waits;  // the boot of each, by its run
    for (const HistoryEntry& entry : history.entries) {
        const engine::HistoryRun& run = entry.run;
        if (!run.confirmUntil.empty()) {
            waits.emplace(run.id, run.bootId);
        }
        const auto wait = waits.find(run.restores.empty() ? run.id : run.restores);
        if (!entry.end || wait == waits.end()) {
            continue;
        }
        const auto known = settled.find(wait->first);
        const bool open = known == settled.end() ||
                          (!known->second.kept && known->second.exitCode != 0);
        if (open && run.command == "confirm") {
            settled[wait->first] = {.kept = true, .time = entry.time};
        } else if (open && !run.restores.empty() && run.bootId == wait->second) {
            // In this boot only the restore of the whole is let through.
            settled[wait->first] = {.time = entry.time,
                                    .exitCode = entry.end->exitCode};
        }
    }
    return settled;
}

History filtered(History history, const HistoryFilter& filter) {
    history.settled = settlementsOf(history);
    // A time of equal length and form compares as text.
    const std::string since = filter.since ? historyTime(*filter.since) : "";
    std::set<std::string> wanted;
    for (const HistoryEntry& entry : history.entries) {
        if (entry.time >= since && entry.run.id.starts_with(filter.run) &&
            (filter.rail.empty() || touches(entry, filter.rail))) {
            wanted.insert(entry.run.id);
        }
    }
    std::erase_if(history.entries, [&](const HistoryEntry& entry) {
        const bool otherRail =
            !filter.rail.empty() && entry.write && !touches(entry, filter.rail);
        return otherRail || !wanted.contains(entry.run.id);
    });
    return history;
}

std::string toJson(const History& history) {
    Json entries = Json::array();
    for (const HistoryEntry& entry : history.entries) {
        entries.push_back(entryTree(entry));
    }
    Json torn = Json::array();
    for (const TornLine& line : history.tornLines) {
        torn.push_back({{"file", line.file}, {"byte", line.byte}});
    }
    const Json tree{{"schema", kSchema},
                    {"entries", std::move(entries)},
                    {"foreign_lines", history.foreignLines},
                    {"torn_line", history.tornLine},
                    {"torn_lines", std::move(torn)}};
    constexpr int kIndent = 2;
    return tree.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fabric::report
