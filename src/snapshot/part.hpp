// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "resource/assessment.hpp"
#include "snapshot/snapshot.hpp"

#include <set>
#include <string>

namespace fabric::snapshot {

// A part of what a snapshot holds, as --only and --rail name it.
struct Part {
    std::set<resource::Kind> only;  // empty: every kind
    std::string rail;  // interface, RDMA device, ifindex:N or rdma:DEVICE; "" all

    [[nodiscard]] bool isAll() const { return only.empty() && rail.empty(); }
};

// The snapshot without the rest. Of a rail that is gone by the name of then. Host-wide
// things are none of a rail. An error when nothing is left.
[[nodiscard]] Result<Snapshot> partOf(const host::Reader& host,
                                      Snapshot snapshot,
                                      const Part& part);

}  // namespace fabric::snapshot
