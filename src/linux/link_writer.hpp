// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/links.hpp"
#include "linux/netlink_channel.hpp"

namespace fabric::linux_host {

class RtnlLinkWriter : public host::LinkWriter {
  public:
    explicit RtnlLinkWriter(NetlinkChannel& netlink) : netlink_(&netlink) {}

    [[nodiscard]] Result<void> setMtu(IfIndex index, std::uint32_t mtu) override;

  private:
    NetlinkChannel* netlink_;
};

}  // namespace fabric::linux_host
