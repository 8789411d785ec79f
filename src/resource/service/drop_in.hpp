// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "profile/settings.hpp"
#include "resource/service/unit_file.hpp"

#include <string>
#include <string_view>

namespace fabric::resource::service {

inline constexpr std::string_view kDropInName = "90-fabricctl.conf";

// "/etc/systemd/system/UNIT.d" and our file in it.
[[nodiscard]] std::string dropInDirectory(std::string_view unit);
[[nodiscard]] std::string dropInPath(std::string_view unit);
// The environment file that `manage-environment` writes.
[[nodiscard]] std::string managedEnvironmentPath(std::string_view unit);

// systemd applies drop-ins in the order of file names, whatever their directory.
[[nodiscard]] bool sortsAfterOurs(std::string_view path);

// The drop-in as it must be; a refusal when it cannot be made.
struct WantedDropIn {
    std::string text;     // empty: the profile owns nothing that needs one
    std::string program;  // that the unit runs without our drop-in
    std::string refusal;
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
