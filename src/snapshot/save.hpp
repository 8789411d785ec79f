// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/host.hpp"
#include "inventory/platform.hpp"
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
// root's or may be written by others is refused. Until end() it is marked as begun: a
// run that is killed leaves it so.
[[nodiscard]] Result<Saved> save(const host::FileReader& files,
                                 host::FileWriter& writer,
                                 Snapshot snapshot);

// The run of `snapshot` is over. When nothing that it holds differs from what is there
// now, there is nothing to restore: it goes, so that the ones of runs that changed
// something stay the newest and the kept ones. True when it stays.
[[nodiscard]] Result<bool> end(const host::Reader& host,
                               host::FileWriter& writer,
                               const Snapshot& snapshot,
                               const inventory::Platform& platform);

// The same of a run that was killed before it could: called before the next save.
[[nodiscard]] Result<void> endKilled(const host::Reader& host,
                                     host::FileWriter& writer,
                                     const inventory::Platform& platform);

// What was cut off is completed: its snapshot counts, its mark goes. Nothing when
// another run has begun since.
[[nodiscard]] Result<void> forgetCutOff(const host::FileReader& files,
                                        host::FileWriter& writer,
                                        const std::string& id);

// A restore put back everything that `target` holds, and is over: restores that name no
// snapshot pass over what it undid.
[[nodiscard]] Result<void> noteRestored(const host::FileReader& files,
                                        host::FileWriter& writer,
                                        const std::string& target);

}  // namespace fabric::snapshot
