// SPDX-License-Identifier: Apache-2.0
#include "linux/link_decode.hpp"

#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>

namespace fabric::linux_host {

namespace {

std::unexpected<Error> tooShort(const char* what) {
    return fail(Error{.kind = ErrorKind::malformed,
                      .action = std::string("decode ") + what,
                      .detail = "the message is cut off"});
}

std::optional<MacAddress> macOf(const std::optional<ByteView>& bytes) {
    MacAddress mac;
    // InfiniBand has 20 octets; those are no Ethernet address.
    if (!bytes || bytes->size() != mac.octets.size()) {
        return std::nullopt;
    }
    std::ranges::transform(*bytes, mac.octets.begin(), [](std::byte byte) {
        return std::to_integer<std::uint8_t>(byte);
    });
    return mac;
}

std::string hexadecimal(const std::optional<ByteView>& bytes) {
    std::string text;
    for (const std::byte byte : bytes.value_or(ByteView{})) {
        text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    }
    return text;
}

Result<std::string> kindOf(const Attributes& attributes) {
    const auto info = attributes.find(IFLA_LINKINFO);
    if (!info) {
        return std::string();
    }
    const Attributes nested = TRY(Attributes::parse(*info));
    return nested.text(IFLA_INFO_KIND);
}

// The device below: not when it lives in another namespace, where its index means
// nothing here, and not when it is the device itself.
IfIndex lowerOf(const Attributes& attributes, IfIndex self) {
    const IfIndex lower{attributes.value<std::uint32_t>(IFLA_LINK).value_or(0)};
    const bool elsewhere = attributes.find(IFLA_LINK_NETNSID).has_value();
    return elsewhere || lower == self ? IfIndex{} : lower;
}

}  // namespace

Result<host::Link> decodeLink(ByteView payload) {
    const auto header = valueAt<ifinfomsg>(payload);
    if (!header || header->ifi_index <= 0) {
        return tooShort("link");
    }
    const Attributes attributes =
        TRY(Attributes::parse(payload.subspan(sizeof *header)));
    const auto number = [&](std::uint16_t type) {
        return attributes.value<std::uint32_t>(type).value_or(0);
    };
    host::Link link;
    link.index = IfIndex{static_cast<std::uint32_t>(header->ifi_index)};
    link.name = attributes.text(IFLA_IFNAME);
    link.mac = macOf(attributes.find(IFLA_ADDRESS));
    link.permanentMac = macOf(attributes.find(IFLA_PERM_ADDRESS));
    link.mtu = number(IFLA_MTU);
    link.minMtu = number(IFLA_MIN_MTU);
    link.maxMtu = number(IFLA_MAX_MTU);
    link.adminUp = (header->ifi_flags & IFF_UP) != 0;
    link.carrier = attributes.value<std::uint8_t>(IFLA_CARRIER).value_or(0) != 0;
    link.carrierDownCount = number(IFLA_CARRIER_DOWN_COUNT);
    link.kind = TRY(kindOf(attributes));
    link.master = IfIndex{number(IFLA_MASTER)};
    link.lower = lowerOf(attributes, link.index);
    link.parentBus = attributes.text(IFLA_PARENT_DEV_BUS_NAME);
    link.parentDevice = attributes.text(IFLA_PARENT_DEV_NAME);
    link.physPortName = attributes.text(IFLA_PHYS_PORT_NAME);
    link.physSwitchId = hexadecimal(attributes.find(IFLA_PHYS_SWITCH_ID));
    return link;
}

Result<std::optional<host::LinkAddress>> decodeAddress(ByteView payload) {
    const auto header = valueAt<ifaddrmsg>(payload);
    if (!header) {
        return tooShort("address");
    }
    const bool ipv6 = header->ifa_family == AF_INET6;
    if (!ipv6 && header->ifa_family != AF_INET) {
        return std::nullopt;
    }
    const Attributes attributes =
        TRY(Attributes::parse(payload.subspan(sizeof *header)));
    // On a point-to-point link IFA_ADDRESS is the peer's (linux/if_addr.h).
    auto octets = attributes.find(IFA_LOCAL);
    if (!octets) {
        octets = attributes.find(IFA_ADDRESS);
    }
    const std::size_t length = ipv6 ? 16 : 4;
    if (!octets || octets->size() < length) {
        return tooShort("address");
    }
    host::LinkAddress address{.link = IfIndex{header->ifa_index},
                              .ipv6 = ipv6,
                              .octets = {},
                              .prefixLength = header->ifa_prefixlen};
    std::ranges::transform(
        octets->first(length), address.octets.begin(), [](std::byte byte) {
            return std::to_integer<std::uint8_t>(byte);
        });
    return address;
}

Result<std::vector<IfIndex>> multipathLinks(ByteView hops) {
    std::vector<IfIndex> links;
    while (hops.size() >= sizeof(rtnexthop)) {
        const rtnexthop hop = valueAt<rtnexthop>(hops).value_or(rtnexthop{});
        if (hop.rtnh_len < sizeof(rtnexthop) || hop.rtnh_len > hops.size()) {
            return tooShort("multipath route");
        }
        links.push_back(IfIndex{static_cast<std::uint32_t>(hop.rtnh_ifindex)});
        const std::size_t step = RTNH_ALIGN(std::size_t{hop.rtnh_len});
        hops = hops.subspan(std::min(hops.size(), step));
    }
    return links;
}

Result<std::optional<DefaultRoute>> decodeDefaultRoute(ByteView payload) {
    const auto header = valueAt<rtmsg>(payload);
    if (!header) {
        return tooShort("route");
    }
    if (header->rtm_dst_len != 0 || header->rtm_type != RTN_UNICAST ||
        (header->rtm_flags & RTM_F_CLONED) != 0) {
        return std::nullopt;
    }
    const Attributes attributes =
        TRY(Attributes::parse(payload.subspan(sizeof *header)));
    DefaultRoute route;
    if (const auto link = attributes.value<std::uint32_t>(RTA_OIF)) {
        route.links.push_back(IfIndex{*link});
    }
    if (const auto hops = attributes.find(RTA_MULTIPATH)) {
        const std::vector<IfIndex> links = TRY(multipathLinks(*hops));
        route.links.insert(route.links.end(), links.begin(), links.end());
    }
    // With net.ipv4.nexthop_compat_mode=0 the kernel names the object only.
    if (route.links.empty()) {
        route.nexthopId = attributes.value<std::uint32_t>(RTA_NH_ID).value_or(0);
    }
    return route;
}

Result<Nexthop> decodeNexthop(ByteView payload) {
    const auto header = valueAt<nhmsg>(payload);
    if (!header) {
        return tooShort("nexthop");
    }
    const Attributes attributes =
        TRY(Attributes::parse(payload.subspan(sizeof *header)));
    Nexthop nexthop;
    if (const auto link = attributes.value<std::uint32_t>(NHA_OIF)) {
        nexthop.link = IfIndex{*link};
    }
    ByteView group = attributes.find(NHA_GROUP).value_or(ByteView{});
    while (const auto member = valueAt<nexthop_grp>(group)) {
        nexthop.group.push_back(member->id);
        group = group.subspan(sizeof *member);
    }
    return nexthop;
}

}  // namespace fabric::linux_host
