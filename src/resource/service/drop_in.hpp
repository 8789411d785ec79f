// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "profile/settings.hpp"
#include "resource/service/unit_file.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::service {

inline constexpr std::string_view kDropInName = "90-fabricctl.conf";
inline constexpr std::string_view kUnitDirectory = "/etc/systemd/system";
inline constexpr std::string_view kManagedDirectory = "/etc/fabricctl";
// Of the environment file: its values may be secrets, and systemd reads it as root.
inline constexpr unsigned kManagedMode = 0600;

// What the profile asks us to write for the unit.
[[nodiscard]] bool managesEnvironment(const profile::ServiceSettings& settings);
[[nodiscard]] bool needsDropIn(const profile::ServiceSettings& settings);

// "/etc/systemd/system/UNIT.d" and our file in it.
[[nodiscard]] std::string dropInDirectory(std::string_view unit);
[[nodiscard]] std::string dropInPath(std::string_view unit);
// The environment file that `manage-environment` writes.
[[nodiscard]] std::string managedEnvironmentPath(std::string_view unit);

// systemd applies drop-ins in the order of file names, whatever their directory.
[[nodiscard]] bool sortsAfterOurs(std::string_view path);

// The drop-in as it must be; a refusal when it cannot be made.
struct WantedDropIn {
    std::string text;       // empty: the profile owns nothing that needs one
    std::string program;    // that the unit runs without our drop-in
    std::size_t place = 0;  // of the program in {path, arguments...} of the command
    // The command as systemd loads it; empty when only systemd can tell, because of its
    // quotes and specifiers, or when the profile leaves it alone.
    std::vector<std::string> command;
    std::string refusal;
    std::string fix;  // of the refusal
};

// Made from what the files say that apply before ours: the command with its program
// replaced, its list emptied first; the asserts likewise, since emptying one empties
// all of them; the limit.
[[nodiscard]] WantedDropIn makeDropIn(const profile::ServiceSettings& settings,
                                      const UnitLists& lists);

// Its settings, one text each, without comments and section headers: what a report
// shows.
[[nodiscard]] Value settingsOf(std::string_view text);

}  // namespace fabric::resource::service
