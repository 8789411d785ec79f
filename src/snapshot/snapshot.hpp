// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snapshot/item.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fabric::snapshot {

// Something that a run changes and that no restore brings back.
struct Kept {
    std::string what;     // "kernel module nvidia_peermem"
    std::string why;      // "a loaded module stays loaded"
    bool unread = false;  // it would be restorable, but could not be read
    bool operator==(const Kept&) const = default;
};

// What was seen at one thing, as text: by member where it is an object, else by "".
using LeftThing = std::map<std::string, std::string>;
using Left = std::map<std::string, LeftThing>;  // by the assessment of it

// The command of a run that puts a snapshot back.
inline constexpr const char* kRestoreCommand = "restore";

// What one run found at everything that it was about to overwrite.
struct Snapshot {
    std::string id;         // "20261130T084512Z-000012", "baseline"; "" not yet saved
    std::uint64_t run = 0;  // counts up; orders snapshots also when a clock jumped
    std::chrono::sys_seconds taken{};
    std::string command;  // "apply", "restore"
    std::string profileName;
    std::string profilePath;
    std::string host;
    std::string bootId;
    std::vector<Item> items;
    std::vector<Kept> notRestored;
    // What the run left, once it was over, of what it had found (compare.hpp): of a
    // thing with several values only those. Nothing is put back from it.
    Left left = {};
    bool operator==(const Snapshot&) const = default;
};

}  // namespace fabric::snapshot
