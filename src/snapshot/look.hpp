// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"
#include "host/host.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/snapshot.hpp"

#include <string>

namespace fabric::snapshot {

// A report about a snapshot with everything filled in that does not depend on a look.
[[nodiscard]] engine::Report beginReport(const host::Reader& host,
                                         std::string command,
                                         const Snapshot& snapshot);

// Adds the finding `restore.boot-unit` while the unit is enabled that applies the
// profile at every boot: what is put back now lasts until then.
void noteBootUnit(const host::Reader& host, engine::Report& report);

// What differs from a snapshot and the steps, in order, that a restore would take.
// `command` is "restore" (its dry run: `plan` of the way back) or "snapshot diff".
[[nodiscard]] engine::Report differences(const host::Reader& host,
                                         std::string command,
                                         const Snapshot& snapshot,
                                         const Circumstances& known = {});

}  // namespace fabric::snapshot
