// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/services.hpp"
#include "resource/service/state.hpp"

#include <string>
#include <vector>

namespace fabric::resource::service {

// The files of a unit, drop-ins in the order in which they apply.
struct UnitPaths {
    std::string fragment;
    std::vector<std::string> dropIns;
};

// Our drop-in by the path that it is written to: systemd names it by what its directory
// leads to, where that or one above it is a link.
void nameOurs(const host::FileReader& files, host::ServiceUnit& loaded);

// The files that the next reload of systemd will read for a unit of a running host, and
// in `unread` in what way they are others than it has loaded. What cannot be told from
// files (a unit of a directory of its own, drop-ins of an alias) is as loaded. A file
// whose content alone has changed is not named: NeedDaemonReload tells it.
[[nodiscard]] UnitPaths pathsOnDisk(const host::FileReader& files,
                                    const host::ServiceUnit& loaded,
                                    Unread& unread);

// What below, ours and above give together. Pure.
[[nodiscard]] Coming comingOf(const State& state);

}  // namespace fabric::resource::service
