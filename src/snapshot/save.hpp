// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "snapshot/snapshot.hpp"

#include <string>
#include <vector>

namespace fabric::snapshot {

struct Saved {
    std::string id;
    std::vector<std::string> removed;  // ids that made room
    // Why an old one could not be removed; the snapshot is saved all the same.
    std::vector<Error> leftovers;
};

// Keeps a snapshot: first the baseline takes what it does not hold yet, then the
// snapshot is written as one file, atomically, then the oldest ones go. On an error
// nothing was lost, and the snapshot does not exist. A store that is a link, is not
// root's or may be written by others is refused.
[[nodiscard]] Result<Saved> save(const host::FileReader& files,
                                 host::FileWriter& writer,
                                 Snapshot snapshot);

}  // namespace fabric::snapshot
