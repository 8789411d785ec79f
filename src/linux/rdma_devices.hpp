// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/rdma.hpp"
#include "linux/netlink_channel.hpp"
#include "linux/rdma_decode.hpp"

namespace fabric::linux_host {

// RDMA ports over NETLINK_RDMA, completed from sysfs. The socket is opened only where
// sysfs shows a device: opening it would make the kernel look for a module.
class NetlinkRdma : public host::RdmaReader {
  public:
    NetlinkRdma(NetlinkChannel& netlink, const host::FileReader& files)
        : netlink_(&netlink), files_(&files) {}

    [[nodiscard]] Result<std::vector<host::RdmaPort>> ports() const override;
    [[nodiscard]] Result<host::RdmaPortAttributes> attributes(
        const host::RdmaPort& port) const override;

  private:
    [[nodiscard]] Result<std::vector<host::RdmaPort>> portsOf(
        const RdmaDevice& device) const;
    [[nodiscard]] std::string parentFunction(const std::string& device) const;

    NetlinkChannel* netlink_;
    const host::FileReader* files_;
};

}  // namespace fabric::linux_host
