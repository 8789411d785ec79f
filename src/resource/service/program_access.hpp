// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "resource/service/unit_file.hpp"

#include <string>
#include <vector>

namespace fabric::resource::service {

// Whom systemd starts the server as: User=, Group= and SupplementaryGroups=, as
// written.
struct Account {
    std::string user;                 // "": root
    std::string group;                // "": that of the user
    std::vector<std::string> groups;  // more of them
};

// What files, applied one after the other, say of it.
[[nodiscard]] Account accountOf(const std::vector<UnitFile>& files);

// What keeps the account from executing the program, by owner and mode of the file and
// of each directory on the way, "" nothing. Accounts are those of /etc/passwd and
// /etc/group; of one that is not there only what keeps everybody but root is told.
// Access lists (acl(5)) are not seen. For files that no program can be started from: a
// running host asks the program itself.
[[nodiscard]] std::string executionObstacle(const host::FileReader& files,
                                            const std::string& program,
                                            const Account& account);

}  // namespace fabric::resource::service
