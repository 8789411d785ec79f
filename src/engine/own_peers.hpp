// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "profile/settings.hpp"

#include <string>
#include <vector>

namespace fabric::engine {

// This host's part of the inventory that its peers check their caches against.
struct OwnPeers {
    std::string host;
    std::vector<profile::NeighbourPeer> peers;  // by interface, then address
};

// With MTU, active MTU and GID, as far as they can be read. Every address, but IPv6
// link-local ones, of every interface of the rails that carry an Ethernet RDMA port, or
// of the one rail named `filter`.
[[nodiscard]] Result<OwnPeers> observeOwnPeers(const host::Reader& host,
                                               const std::string& filter);

}  // namespace fabric::engine
