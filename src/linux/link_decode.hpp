// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/links.hpp"
#include "linux/netlink_attributes.hpp"

#include <optional>
#include <vector>

// Route netlink payloads (rtnetlink(7)) as values. Pure: bytes in, values out. Unknown
// attributes are passed over; a cut-off attribute is ErrorKind::malformed.
namespace fabric::linux_host {

// struct ifinfomsg and its attributes.
[[nodiscard]] Result<host::Link> decodeLink(ByteView payload);

// struct ifaddrmsg; std::nullopt for a family other than IPv4 and IPv6.
[[nodiscard]] Result<std::optional<host::LinkAddress>> decodeAddress(ByteView payload);

// The links of RTA_MULTIPATH: struct rtnexthop, each with a length of its own.
[[nodiscard]] Result<std::vector<IfIndex>> multipathLinks(ByteView hops);

// How a default route leaves the host.
struct DefaultRoute {
    std::vector<IfIndex> links;
    std::uint32_t nexthopId =
        0;  // an object that has to be asked for its links; 0: none
};

// struct rtmsg; std::nullopt for anything but a unicast route to the whole address
// space.
[[nodiscard]] Result<std::optional<DefaultRoute>> decodeDefaultRoute(ByteView payload);

// A nexthop object (linux/nexthop.h): its own link, or the ids of its group.
struct Nexthop {
    std::optional<IfIndex> link;
    std::vector<std::uint32_t> group;
};

// struct nhmsg.
[[nodiscard]] Result<Nexthop> decodeNexthop(ByteView payload);

}  // namespace fabric::linux_host
