// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/neighbours.hpp"
#include "linux/netlink_channel.hpp"

namespace fabric::linux_host {

class RtnlNeighbourWriter : public host::NeighbourWriter {
  public:
    explicit RtnlNeighbourWriter(NetlinkChannel& netlink) : netlink_(&netlink) {}

    [[nodiscard]] Result<void> remove(const host::NeighbourKey& key) override;
    [[nodiscard]] Result<void> resolve(const host::NeighbourKey& key) override;

  private:
    NetlinkChannel* netlink_;
};

}  // namespace fabric::linux_host
