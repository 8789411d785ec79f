// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fabric::host {

enum class LinkLayer { unknown, infiniband, ethernet };

// One port of one RDMA device, from RDMA netlink (rdma/rdma_netlink.h,
// RDMA_NLDEV_CMD_GET and RDMA_NLDEV_CMD_PORT_GET) and
// /sys/class/infiniband/DEV/ports/N/link_layer.
struct RdmaPort {
    std::string device;      // "mlx5_0"
    std::uint32_t port = 0;  // from 1
    LinkLayer linkLayer = LinkLayer::unknown;
    IfIndex link;          // net device of the port in this namespace; none: not told
    std::string state;     // "active", "down", "init", "armed", ""
    std::string firmware;  // "" when the device has none
    std::string pci;       // "0000:1a:00.0" of its parent, "" for rxe and siw
};

// What only a verbs query tells (ibv_query_port). MTUs in bytes.
struct RdmaPortAttributes {
    std::uint32_t activeMtu = 0;
    std::uint32_t maxMtu = 0;
    std::uint32_t maxSrqWorkRequests = 0;
};

class RdmaReader {
  public:
    virtual ~RdmaReader() = default;
    // Every port of every RDMA device, sorted by device and port. No RDMA stack loaded:
    // empty.
    [[nodiscard]] virtual Result<std::vector<RdmaPort>> ports() const = 0;
    // Opens the device through libibverbs; used by `status` and `facts` only.
    [[nodiscard]] virtual Result<RdmaPortAttributes> attributes(
        const RdmaPort& port) const = 0;
};

}  // namespace fabric::host
