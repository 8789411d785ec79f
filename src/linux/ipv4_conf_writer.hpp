// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/ipv4_conf.hpp"
#include "linux/netlink_channel.hpp"

namespace fabric::linux_host {

class RtnlIpv4ConfWriter : public host::Ipv4ConfWriter {
  public:
    RtnlIpv4ConfWriter(NetlinkChannel& netlink, host::FileWriter& files)
        : netlink_(&netlink), files_(&files) {}

    [[nodiscard]] Result<void> set(IfIndex link,
                                   const host::Ipv4Values& values) override;
    [[nodiscard]] Result<void> setAll(const host::Ipv4Values& values) override;

  private:
    NetlinkChannel* netlink_;
    host::FileWriter* files_;
};

}  // namespace fabric::linux_host
