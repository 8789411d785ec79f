// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "host/files.hpp"
#include "profile/profile.hpp"
#include "resource/assessment.hpp"
#include "resource/step.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::engine {

// The history of changes: what each run wrote, a line each. It is kept for people; no
// plan is ever made from it.
inline constexpr const char* kStateDirectory = "/var/lib/fabricctl";
inline constexpr const char* kHistoryFile = "/var/lib/fabricctl/history.jsonl";
inline constexpr const char* kOlderHistoryFile = "/var/lib/fabricctl/history.jsonl.1";

// A file that a run was made of, by its hash.
struct HashedFile {
    std::string path;
    std::string sha256;
    bool operator==(const HashedFile&) const = default;
};

// Who ran what; the same in every line of a run.
struct HistoryRun {
    std::string id;
    std::string command;  // "apply"
    std::string bootId;
    std::uint32_t user = 0;
    // The user who logged in, whoever he became since (audit_getloginuid(3)). Empty: no
    // login, a service.
    std::optional<std::uint32_t> loginUser;
    std::uint32_t process = 0;
    std::vector<HashedFile> profile;  // itself first, then what it extends
    std::string restores = {};      // a restore: the snapshot that it puts back; or ""
    std::string confirmUntil = {};  // an apply that is undone then, unless it is kept
    bool operator==(const HistoryRun&) const = default;
};

// The files that a profile was made of, itself first, as they are now. One that cannot
// be read any more has no hash.
[[nodiscard]] std::vector<HashedFile> hashesOf(const host::FileReader& files,
                                               const profile::Profile& profile);

// One property that a write serves: what was found, and what it is to become. Of
// tables only the entries that differ.
struct HistoryChange {
    std::string id;
    Value old;
    Value wanted;
    bool operator==(const HistoryChange&) const = default;
};

struct HistoryWrite {
    std::uint64_t step = 0;  // of this run, from 1; several writes can be one step
    std::string rail;        // "" host-wide
    std::string summary;     // of the step
    std::vector<HistoryChange> changes;  // of the step; in its first write only
    Value wrote;                         // the write itself, see describeWrite()
    bool accepted = false;
    int sysErrno = 0;     // of a refusal, 0 none
    std::string message;  // of a refusal, or what an accepting answer leaves open
    bool operator==(const HistoryWrite&) const = default;
};

struct HistoryEnd {
    int exitCode = 0;
    std::string result;           // as in the report
    std::uint64_t lostLines = 0;  // that could not be added before this one
    bool operator==(const HistoryEnd&) const = default;
};

// One line: the begin of a run when neither is there.
struct HistoryEntry {
    std::string time;  // RFC 3339, UTC, milliseconds
    HistoryRun run;
    std::optional<HistoryWrite> write;
    std::optional<HistoryEnd> end;
    bool operator==(const HistoryEntry&) const = default;
};

// The write as it went out: attribute texts and messages as they are, files by length
// and SHA-256 (an environment file holds secrets). Pure.
// `word` is what a PCI register held before and after.
[[nodiscard]] Value describeWrite(const resource::Write& write,
                                  std::optional<host::PciWordUpdate> word = {});

// What was found and what is wanted, by id. Pure.
using HistoryChanges = std::map<std::string, HistoryChange, std::less<>>;
[[nodiscard]] HistoryChanges changesOf(const std::vector<resource::Assessment>& before);

}  // namespace fabric::engine
