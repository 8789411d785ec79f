// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/rdma.hpp"
#include "linux/netlink_attributes.hpp"

#include <string>
#include <string_view>

// RDMA netlink payloads (rdma/rdma_netlink.h) as values. Pure.
namespace fabric::linux_host {

// An answer of RDMA_NLDEV_CMD_GET.
struct RdmaDevice {
    std::uint32_t index = 0;
    std::string name;
    std::string firmware;
};

[[nodiscard]] Result<RdmaDevice> decodeRdmaDevice(ByteView payload);

// An answer of RDMA_NLDEV_CMD_PORT_GET, as far as it tells: number, state, net device.
[[nodiscard]] Result<host::RdmaPort> decodeRdmaPort(ByteView payload);

// "Ethernet", "InfiniBand" as in /sys/class/infiniband/DEV/ports/N/link_layer.
[[nodiscard]] host::LinkLayer parseLinkLayer(std::string_view text);

}  // namespace fabric::linux_host
