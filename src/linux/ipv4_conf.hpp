// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/ipv4_conf.hpp"
#include "linux/netlink_channel.hpp"

#include <optional>
#include <string>

namespace fabric::linux_host {

// The IPv4 part of one RTM_NEWLINK (IFLA_AF_SPEC, AF_INET, IFLA_INET_CONF: an array of
// u32 that starts with number 1; net/ipv4/devinet.c, inet_fill_link_af). std::nullopt
// when the interface has none, as below an MTU of 68. Pure.
[[nodiscard]] Result<std::optional<host::Ipv4Conf>> decodeIpv4Conf(ByteView payload);

// struct ifinfomsg with the same nest for RTM_SETLINK, where each value is an attribute
// of its own number (devinet.c, inet_set_link_af). Pure.
[[nodiscard]] std::vector<std::byte> encodeIpv4Conf(IfIndex link,
                                                    const host::Ipv4Values& values);

// "/proc/sys/net/ipv4/conf/all/arp_ignore".
[[nodiscard]] std::string pathOfAll(host::Ipv4Key key);

class RtnlIpv4Conf : public host::Ipv4ConfReader {
  public:
    RtnlIpv4Conf(NetlinkChannel& netlink, const host::FileReader& files)
        : netlink_(&netlink), files_(&files) {}

    [[nodiscard]] Result<std::vector<host::Ipv4Conf>> interfaces() const override;
    [[nodiscard]] Result<std::int32_t> all(host::Ipv4Key key) const override;

  private:
    NetlinkChannel* netlink_;
    const host::FileReader* files_;
};

}  // namespace fabric::linux_host
