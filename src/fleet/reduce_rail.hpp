// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fleet/record.hpp"
#include "host/host.hpp"
#include "inventory/rail.hpp"
#include "resource/arp/state.hpp"

#include <string>
#include <vector>

// Parts of reduce().
namespace fabric::fleet {

// What was read once for all rails of a host.
struct RailSources {
    const host::Reader& host;
    Result<std::vector<host::LinkAddress>> addresses;
    Result<std::vector<host::Link>> links;
    Result<resource::arp::State> arp;
};

[[nodiscard]] RailRecord reduceRail(const RailSources& sources,
                                    const inventory::Rail& rail);

// A value of a few hundred bytes at most: equal texts stay equal, others different.
[[nodiscard]] std::string boundedText(std::string text);

// Neither link-local nor multicast: an address that one interface of the fabric owns.
[[nodiscard]] bool isCompared(const IpAddress& address);

}  // namespace fabric::fleet
