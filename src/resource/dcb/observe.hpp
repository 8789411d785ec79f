// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "host/host.hpp"
#include "inventory/rail.hpp"
#include "resource/dcb/state.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace fabric::resource::dcb {

// The present DCB state of one physical port: one IEEE_GET, which also carries DCBX,
// and on drivers that may have it the qos directory of sysfs. EOPNOTSUPP (no DCB at
// all) is ErrorKind::unsupported.
[[nodiscard]] Result<State> observe(const host::Reader& host,
                                    const inventory::PhysicalPort& port);

// The table of qos/dscp2prio; lines that are no entry yield nothing.
[[nodiscard]] std::map<Dscp, std::uint8_t> parseDscpTable(std::string_view text);

// "/sys/class/net/ens1f0np0/qos"
[[nodiscard]] std::string sysfsQosDirectory(std::string_view interface);

}  // namespace fabric::resource::dcb
