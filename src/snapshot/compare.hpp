// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "inventory/platform.hpp"
#include "resource/assessment.hpp"
#include "snapshot/snapshot.hpp"

namespace fabric::snapshot {

// One fresh look: what the snapshot holds (wanted) against what is there now (found),
// and the steps that put it back. A thing that is gone is not applicable, one that is
// not the same any more skipped; neither has a step. Nothing that the snapshot did not
// read is compared or written. Reads only.
[[nodiscard]] resource::Comparison compare(const host::Reader& host,
                                           const Snapshot& snapshot,
                                           const inventory::Platform& platform);

// Whether everything that the snapshot holds was read again and is as it says: its run
// changed none of it, and a restore of it would write nothing.
[[nodiscard]] bool isAsItWas(const host::Reader& host,
                             const Snapshot& snapshot,
                             const inventory::Platform& platform);

}  // namespace fabric::snapshot
