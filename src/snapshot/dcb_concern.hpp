// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "resource/dcb/driver.hpp"
#include "snapshot/item.hpp"

#include <set>
#include <vector>

namespace fabric::snapshot {

// One answer of a port, with the APP entries in the order in which the kernel lists
// them.
struct PortDcb {
    resource::dcb::State state;
    std::vector<resource::dcb::AppEntry> apps;
};

// One IEEE_GET, fresh.
[[nodiscard]] Result<PortDcb> observePort(const host::Reader& host, IfIndex link);

// What a request changes, and what this driver changes along with it. Pure.
[[nodiscard]] std::set<DcbConcern> concernsOf(const host::DcbRequest& request,
                                              const resource::dcb::DriverFacts& driver);

// True when the answer tells of the concern at all.
[[nodiscard]] bool tells(const PortDcb& port, DcbConcern concern);

// Copies one concern out of an answer that tells it; nothing when it does not.
void take(DcbConcern concern, const PortDcb& from, Dcb& to);

}  // namespace fabric::snapshot
