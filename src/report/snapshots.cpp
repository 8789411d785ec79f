// SPDX-License-Identifier: Apache-2.0
#include "report/snapshots.hpp"

#include "base/text.hpp"
#include "snapshot/value.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <string_view>

namespace fabric::report {

namespace {

std::string timeText(std::chrono::sys_seconds time) {
    return fmt::format(
        "{:%Y-%m-%dT%H:%M:%S}Z",
        fmt::gmtime(static_cast<std::time_t>(time.time_since_epoch().count())));
}

// A restore is about a snapshot, which its id names.
const std::string& subjectOf(const snapshot::Snapshot& snapshot) {
    return snapshot.command == snapshot::kRestoreCommand ? snapshot.profileName
                                                         : snapshot.profilePath;
}

std::string_view undoneText(const StoredSnapshot& stored) {
    if (!stored.undone) {
        return "  (undone or not: cannot be told)";
    }
    return *stored.undone ? "  (undone)" : "";
}

Value::Object lineOf(const StoredSnapshot& stored) {
    if (!stored.content) {
        return {{"id", stored.id}, {"error", stored.content.error().message()}};
    }
    const snapshot::Snapshot& snapshot = *stored.content;
    return {{"id", stored.id},
            {"run", static_cast<std::int64_t>(snapshot.run)},
            {"taken", timeText(snapshot.taken)},
            {"command", snapshot.command},
            {"profile", snapshot.profilePath},
            {"items", static_cast<std::int64_t>(snapshot.items.size())},
            {"not_restored", static_cast<std::int64_t>(snapshot.notRestored.size())},
            {"undone", stored.undone ? Value(*stored.undone) : Value()}};
}

}  // namespace

Value toValue(const std::vector<StoredSnapshot>& stored) {
    Value::List lines;
    for (const StoredSnapshot& one : stored) {
        lines.emplace_back(lineOf(one));
    }
    return Value::Object{{"schema", "fabricctl/snapshots/1"},
                         {"snapshots", std::move(lines)}};
}

std::string toText(const std::vector<StoredSnapshot>& stored) {
    if (stored.empty()) {
        return "no snapshot: no run has written anything here yet\n";
    }
    std::string text;
    for (const StoredSnapshot& one : stored) {
        if (!one.content) {
            text += fmt::format("{}  cannot be read: {}\n",
                                escapeForTerminal(one.id),
                                escapeForTerminal(one.content.error().message()));
            continue;
        }
        const snapshot::Snapshot& snapshot = *one.content;
        text += fmt::format("{}  {}  before {} of {}  {} thing{}{}\n",
                            escapeForTerminal(one.id),
                            timeText(snapshot.taken),
                            escapeForTerminal(snapshot.command),
                            escapeForTerminal(subjectOf(snapshot)),
                            snapshot.items.size(),
                            snapshot.items.size() == 1 ? "" : "s",
                            undoneText(one));
    }
    return text + "\nput one back with: fabricctl restore ID (--dry-run shows how)\n";
}

std::string toText(const snapshot::Snapshot& snapshot) {
    std::string text = fmt::format("snapshot {} of {}, before {} of {}\n\n",
                                   escapeForTerminal(snapshot.id),
                                   escapeForTerminal(snapshot.host),
                                   escapeForTerminal(snapshot.command),
                                   escapeForTerminal(snapshot.profilePath));
    for (const snapshot::Item& item : snapshot.items) {
        const std::string identity = snapshot::identityOf(item.thing);
        text += fmt::format(
            "  {:<9} {}{}\n            {}\n",
            resource::toString(item.kind),
            escapeForTerminal(item.label),
            identity.empty() ? "" : " (" + escapeForTerminal(identity) + ")",
            snapshot::valueOf(item.thing).toText());
    }
    if (!snapshot.notRestored.empty()) {
        text += "\nnot brought back by a restore:\n";
    }
    for (const snapshot::Kept& kept : snapshot.notRestored) {
        text += fmt::format(
            "  {}: {}\n", escapeForTerminal(kept.what), escapeForTerminal(kept.why));
    }
    return text;
}

}  // namespace fabric::report
