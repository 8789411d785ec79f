// SPDX-License-Identifier: Apache-2.0
#include "linux/link_decode.hpp"

#include <gtest/gtest.h>

#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <string_view>

namespace fabric::linux_host {
namespace {

using Bytes = std::vector<std::byte>;

void addText(Bytes& bytes, std::uint16_t type, std::string_view text) {
    const std::string terminated(text);
    appendAttribute(
        bytes,
        type,
        std::as_bytes(std::span(terminated.c_str(), terminated.size() + 1)));
}

Bytes linkPayload(int index, unsigned flags) {
    Bytes bytes;
    appendValue(
        bytes,
        ifinfomsg{.ifi_family = AF_UNSPEC, .ifi_index = index, .ifi_flags = flags});
    return bytes;
}

Bytes rail() {
    Bytes bytes = linkPayload(4, IFF_UP);
    addText(bytes, IFLA_IFNAME, "ens1f0np0");
    appendAttribute(
        bytes, IFLA_ADDRESS, MacAddress::parse("b8:ce:f6:00:00:01")->octets);
    appendAttribute(
        bytes, IFLA_PERM_ADDRESS, MacAddress::parse("b8:ce:f6:00:00:02")->octets);
    appendAttribute(bytes, IFLA_MTU, std::uint32_t{9000});
    appendAttribute(bytes, IFLA_MIN_MTU, std::uint32_t{68});
    appendAttribute(bytes, IFLA_MAX_MTU, std::uint32_t{9978});
    appendAttribute(bytes, IFLA_CARRIER, std::uint8_t{1});
    appendAttribute(bytes, IFLA_CARRIER_DOWN_COUNT, std::uint32_t{3});
    appendAttribute(bytes, IFLA_MASTER, std::uint32_t{9});
    addText(bytes, IFLA_PARENT_DEV_NAME, "0000:1a:00.0");
    addText(bytes, IFLA_PARENT_DEV_BUS_NAME, "pci");
    addText(bytes, IFLA_PHYS_PORT_NAME, "p0");
    appendAttribute(bytes, IFLA_PHYS_SWITCH_ID, std::uint32_t{0x0100CEB8});
    appendAttribute(bytes, 0x3FFF, std::uint64_t{1});  // an attribute of the future
    return bytes;
}

TEST(LinkDecode, a_physical_port) {
    const host::Link link = decodeLink(rail()).value();
    EXPECT_EQ(link.index, IfIndex{4});
    EXPECT_EQ(link.name, "ens1f0np0");
    EXPECT_EQ(link.mac->text(), "b8:ce:f6:00:00:01");
    EXPECT_EQ(link.permanentMac->text(), "b8:ce:f6:00:00:02");
    EXPECT_EQ(link.mtu, 9000U);
    EXPECT_EQ(link.minMtu, 68U);
    EXPECT_EQ(link.maxMtu, 9978U);
    EXPECT_TRUE(link.adminUp);
    EXPECT_TRUE(link.carrier);
    EXPECT_EQ(link.carrierDownCount, 3U);
    EXPECT_EQ(link.kind, "");
    EXPECT_EQ(link.master, IfIndex{9});
    EXPECT_TRUE(link.lower.none());
    EXPECT_EQ(link.parentDevice, "0000:1a:00.0");
    EXPECT_EQ(link.parentBus, "pci");
    EXPECT_EQ(link.physPortName, "p0");
    EXPECT_EQ(link.physSwitchId, "b8ce0001");
}

TEST(LinkDecode, a_vlan_has_kind_and_lower) {
    Bytes bytes = linkPayload(5, 0);
    Bytes info;
    addText(info, IFLA_INFO_KIND, "vlan");
    appendAttribute(bytes, IFLA_LINKINFO | 0x8000, ByteView(info));
    appendAttribute(bytes, IFLA_LINK, std::uint32_t{4});
    const host::Link link = decodeLink(bytes).value();
    EXPECT_EQ(link.kind, "vlan");
    EXPECT_EQ(link.lower, IfIndex{4});
    EXPECT_FALSE(link.adminUp);
    EXPECT_FALSE(link.carrier);
}

TEST(LinkDecode, a_lower_device_of_another_namespace_or_itself_is_none) {
    Bytes bytes = linkPayload(5, 0);
    appendAttribute(bytes, IFLA_LINK, std::uint32_t{4});
    appendAttribute(bytes, IFLA_LINK_NETNSID, std::uint32_t{0});
    EXPECT_TRUE(decodeLink(bytes)->lower.none());
    bytes = linkPayload(5, 0);
    appendAttribute(bytes, IFLA_LINK, std::uint32_t{5});
    EXPECT_TRUE(decodeLink(bytes)->lower.none());
}

TEST(LinkDecode, an_infiniband_address_is_no_mac) {
    Bytes bytes = linkPayload(5, 0);
    appendAttribute(bytes, IFLA_ADDRESS, std::array<std::uint8_t, 20>{});
    EXPECT_FALSE(decodeLink(bytes)->mac.has_value());
}

TEST(LinkDecode, a_number_that_is_too_short_counts_as_left_out) {
    Bytes bytes = linkPayload(5, 0);
    appendAttribute(bytes, IFLA_MTU, std::uint16_t{1500});
    EXPECT_EQ(decodeLink(bytes)->mtu, 0U);
}

TEST(LinkDecode, no_cut_of_a_link_is_taken_whole) {
    const Bytes whole = rail();
    const std::string name = decodeLink(whole)->physSwitchId;
    for (std::size_t length = 0; length < whole.size() - 12; ++length) {
        const auto link = decodeLink(ByteView(whole).first(length));
        EXPECT_TRUE(!link || link->physSwitchId != name || length > whole.size() - 16)
            << length;
    }
    EXPECT_EQ(decodeLink(ByteView(whole).first(10)).error().kind, ErrorKind::malformed);
    EXPECT_EQ(decodeLink(ByteView(whole).first(sizeof(ifinfomsg) + 5)).error().kind,
              ErrorKind::malformed);
}

Bytes routePayload(unsigned char bits, unsigned char type, unsigned flags = 0) {
    Bytes bytes;
    appendValue(bytes,
                rtmsg{.rtm_family = AF_INET,
                      .rtm_dst_len = bits,
                      .rtm_type = type,
                      .rtm_flags = flags});
    return bytes;
}

TEST(RouteDecode, only_unicast_routes_to_everything_count) {
    EXPECT_FALSE(decodeDefaultRoute(routePayload(24, RTN_UNICAST))->has_value());
    EXPECT_FALSE(decodeDefaultRoute(routePayload(0, RTN_UNREACHABLE))->has_value());
    EXPECT_FALSE(
        decodeDefaultRoute(routePayload(0, RTN_UNICAST, RTM_F_CLONED))->has_value());
    EXPECT_TRUE(decodeDefaultRoute(routePayload(0, RTN_UNICAST))->has_value());
}

TEST(RouteDecode, H14_every_hop_of_a_multipath_route_carries_the_default_route) {
    Bytes hops;
    appendValue(hops, rtnexthop{.rtnh_len = 16, .rtnh_ifindex = 4});
    appendAttribute(hops, RTA_GATEWAY, std::uint32_t{1});
    appendValue(hops, rtnexthop{.rtnh_len = 8, .rtnh_ifindex = 6});
    Bytes bytes = routePayload(0, RTN_UNICAST);
    appendAttribute(bytes, RTA_MULTIPATH, ByteView(hops));
    const DefaultRoute route = decodeDefaultRoute(bytes)->value();
    EXPECT_EQ(route.links, (std::vector<IfIndex>{IfIndex{4}, IfIndex{6}}));
}

TEST(RouteDecode, a_hop_that_lies_about_its_length_is_malformed) {
    for (const auto length : std::to_array<unsigned short>({0, 7, 200})) {
        Bytes hops;
        appendValue(hops, rtnexthop{.rtnh_len = length, .rtnh_ifindex = 4});
        Bytes bytes = routePayload(0, RTN_UNICAST);
        appendAttribute(bytes, RTA_MULTIPATH, ByteView(hops));
        EXPECT_EQ(decodeDefaultRoute(bytes).error().kind, ErrorKind::malformed);
    }
}

TEST(RouteDecode, H14_a_route_that_names_only_a_nexthop_object_says_which) {
    Bytes bytes = routePayload(0, RTN_UNICAST);
    appendAttribute(bytes, RTA_NH_ID, std::uint32_t{77});
    EXPECT_EQ(decodeDefaultRoute(bytes)->value().nexthopId, 77U);
    appendAttribute(bytes, RTA_OIF, std::uint32_t{4});
    EXPECT_EQ(decodeDefaultRoute(bytes)->value().nexthopId, 0U);
}

TEST(RouteDecode, nexthop_objects_have_a_link_or_a_group) {
    Bytes single;
    appendValue(single, nhmsg{});
    appendAttribute(single, NHA_OIF, std::uint32_t{4});
    EXPECT_EQ(decodeNexthop(single)->link, IfIndex{4});
    Bytes group;
    appendValue(group, nhmsg{});
    appendAttribute(
        group,
        NHA_GROUP,
        std::array<nexthop_grp, 2>{nexthop_grp{.id = 1}, nexthop_grp{.id = 2}});
    EXPECT_EQ(decodeNexthop(group)->group, (std::vector<std::uint32_t>{1, 2}));
}

TEST(AddressDecode, local_address_goes_before_the_peers) {
    Bytes bytes;
    appendValue(bytes,
                ifaddrmsg{.ifa_family = AF_INET, .ifa_prefixlen = 24, .ifa_index = 4});
    appendAttribute(bytes, IFA_ADDRESS, std::array<std::uint8_t, 4>{10, 0, 0, 2});
    appendAttribute(bytes, IFA_LOCAL, std::array<std::uint8_t, 4>{10, 0, 0, 1});
    const host::LinkAddress address = decodeAddress(bytes)->value();
    EXPECT_EQ(address.link, IfIndex{4});
    EXPECT_FALSE(address.ipv6);
    EXPECT_EQ(address.prefixLength, 24);
    EXPECT_EQ(address.octets[0], 10);
    EXPECT_EQ(address.octets[3], 1);
}

TEST(AddressDecode, other_families_are_passed_over_and_short_addresses_malformed) {
    Bytes other;
    appendValue(other, ifaddrmsg{.ifa_family = AF_PACKET});
    EXPECT_FALSE(decodeAddress(other)->has_value());
    Bytes cut;
    appendValue(cut, ifaddrmsg{.ifa_family = AF_INET6});
    appendAttribute(cut, IFA_ADDRESS, std::uint32_t{1});
    EXPECT_EQ(decodeAddress(cut).error().kind, ErrorKind::malformed);
}

}  // namespace
}  // namespace fabric::linux_host
