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

inline constexpr const char* kChangedSince = "restore.changed-since";

// What is known of a host besides a snapshot of it.
struct Circumstances {
    Gone gone = Gone::differs;
    // What the last run that wrote to each thing left there.
    Left left = {};
};

// One fresh look: what the snapshot holds (wanted) against what is there now (found),
// and the steps that put it back. A thing that is gone has no step and differs, and so
// does one that cannot be told apart; the finding restore.not-put-back names them. What
// is neither as it was nor as the last run left it is named by restore.changed-since.
// Nothing that the snapshot did not read is compared or written. Reads only.
[[nodiscard]] resource::Comparison compare(const host::Reader& host,
                                           const Snapshot& snapshot,
                                           const inventory::Platform& platform,
                                           const Circumstances& known = {});

// One value as it is kept of what a run left. Pure.
[[nodiscard]] LeftThing leftOf(const Value& found);
// Takes what a later run left into what earlier ones did: it may have found less of it.
void absorb(const Left& later, Left& left);

// Whether everything that the snapshot holds was read again and is as it says: its run
// changed none of it, and a restore of it would write nothing.
[[nodiscard]] bool isAsItWas(const resource::Comparison& now);
[[nodiscard]] bool isAsItWas(const host::Reader& host,
                             const Snapshot& snapshot,
                             const inventory::Platform& platform);

}  // namespace fabric::snapshot
