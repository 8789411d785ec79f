// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "inventory/platform.hpp"
#include "resource/assessment.hpp"
#include "snapshot/snapshot.hpp"

namespace fabric::snapshot {

// What is said of a thing that is gone, or another one now.
enum class Gone {
    differs,   // what was there does not come back
    accepted,  // it is known to be gone: not applicable
};

// One fresh look: what the snapshot holds (wanted) against what is there now (found),
// and the steps that put it back. A thing that is gone has no step and differs, and so
// does one that cannot be told apart; the finding restore.not-put-back names them.
// Nothing that the snapshot did not read is compared or written. Reads only.
[[nodiscard]] resource::Comparison compare(const host::Reader& host,
                                           const Snapshot& snapshot,
                                           const inventory::Platform& platform,
                                           Gone gone = Gone::differs);

// Whether everything that the snapshot holds was read again and is as it says: its run
// changed none of it, and a restore of it would write nothing.
[[nodiscard]] bool isAsItWas(const host::Reader& host,
                             const Snapshot& snapshot,
                             const inventory::Platform& platform);

}  // namespace fabric::snapshot
