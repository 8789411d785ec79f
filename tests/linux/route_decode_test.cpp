// SPDX-License-Identifier: Apache-2.0
#include "linux/route_decode.hpp"

#include "linux/netlink_peer.hpp"
#include "linux/rtnl_routing.hpp"

#include <gtest/gtest.h>

#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>

#include <array>
#include <cerrno>
#include <span>
#include <string_view>

namespace fabric::linux_host {
namespace {

using host::RouteType;
using host::RuleAction;
using testing::Bytes;
using testing::doneMessage;
using testing::errorMessage;
using testing::message;
using testing::NetlinkPeer;
using namespace std::chrono_literals;

using Ipv4 = std::array<std::uint8_t, 4>;

constexpr Ipv4 kNetwork{10, 0, 1, 0};
constexpr Ipv4 kAddress{10, 0, 1, 1};

Bytes routeHeader(rtmsg header) {
    Bytes bytes;
    appendValue(bytes, header);
    return bytes;
}

Bytes connected(unsigned char family = AF_INET) {
    Bytes bytes = routeHeader({.rtm_family = family,
                               .rtm_dst_len = 24,
                               .rtm_table = RT_TABLE_MAIN,
                               .rtm_type = RTN_UNICAST});
    appendAttribute(bytes, RTA_DST, kNetwork);
    appendAttribute(bytes, RTA_OIF, std::uint32_t{7});
    return bytes;
}

Bytes ruleHeader(fib_rule_hdr header) {
    Bytes bytes;
    appendValue(bytes, header);
    return bytes;
}

Bytes sourceRule() {
    Bytes bytes = ruleHeader({.family = AF_INET,
                              .src_len = 32,
                              .table = RT_TABLE_UNSPEC,
                              .action = FR_ACT_TO_TBL});
    appendAttribute(bytes, FRA_SRC, kAddress);
    appendAttribute(bytes, FRA_PRIORITY, std::uint32_t{100});
    appendAttribute(bytes, FRA_TABLE, std::uint32_t{1001});
    appendAttribute(bytes, FRA_SUPPRESS_PREFIXLEN, std::uint32_t{0xFFFFFFFF});
    return bytes;
}

void addText(Bytes& bytes, std::uint16_t type, std::string_view text) {
    const std::string whole(text);
    appendAttribute(
        bytes, type, std::as_bytes(std::span(whole.c_str(), whole.size() + 1)));
}

TEST(RouteDecode, a_route_with_all_that_is_told) {
    Bytes bytes = connected();
    appendAttribute(bytes, RTA_TABLE, std::uint32_t{1001});  // above the header's 8 bit
    appendAttribute(bytes, RTA_PRIORITY, std::uint32_t{200});
    appendAttribute(bytes, RTA_GATEWAY, Ipv4{10, 0, 1, 254});
    appendAttribute(bytes, RTA_PREFSRC, kAddress);
    const host::Route route = decodeRoute(bytes).value().value();
    EXPECT_EQ(route.type, RouteType::unicast);
    EXPECT_EQ(route.destination, IpAddress::v4(10, 0, 1, 0));
    EXPECT_EQ(route.prefixLength, 24);
    EXPECT_EQ(route.table, 1001U);
    EXPECT_EQ(route.metric, 200U);
    EXPECT_EQ(route.links, std::vector{IfIndex{7}});
    EXPECT_EQ(route.gateway, IpAddress::v4(10, 0, 1, 254));
    EXPECT_EQ(route.source, IpAddress::v4(10, 0, 1, 1));
}

TEST(RouteDecode, a_default_route_has_no_destination_to_tell) {
    const Bytes bytes = routeHeader(
        {.rtm_family = AF_INET6, .rtm_table = RT_TABLE_MAIN, .rtm_type = RTN_UNICAST});
    const host::Route route = decodeRoute(bytes).value().value();
    EXPECT_TRUE(route.destination.ipv6);
    EXPECT_EQ(route.prefixLength, 0);
    EXPECT_TRUE(route.links.empty());
}

TEST(RouteDecode, every_hop_of_a_multipath_route) {
    Bytes hops;
    for (const int link : {7, 8}) {
        appendValue(hops,
                    rtnexthop{.rtnh_len = sizeof(rtnexthop), .rtnh_ifindex = link});
    }
    Bytes bytes = routeHeader(
        {.rtm_family = AF_INET, .rtm_table = RT_TABLE_MAIN, .rtm_type = RTN_UNICAST});
    appendAttribute(bytes, RTA_MULTIPATH, std::span<const std::byte>(hops));
    EXPECT_EQ(decodeRoute(bytes).value().value().links,
              (std::vector{IfIndex{7}, IfIndex{8}}));
}

TEST(RouteDecode, what_becomes_of_a_packet) {
    for (const auto& [type, meant] :
         std::to_array<std::pair<unsigned char, RouteType>>({
             {RTN_UNICAST, RouteType::unicast},
             {RTN_BLACKHOLE, RouteType::refused},
             {RTN_UNREACHABLE, RouteType::refused},
             {RTN_PROHIBIT, RouteType::refused},
             {RTN_THROW, RouteType::thrown},
             {RTN_MULTICAST, RouteType::other},
         })) {
        const Bytes bytes = routeHeader(
            {.rtm_family = AF_INET, .rtm_table = RT_TABLE_MAIN, .rtm_type = type});
        EXPECT_EQ(decodeRoute(bytes).value().value().type, meant) << unsigned{type};
    }
}

TEST(RouteDecode, own_addresses_cached_routes_and_other_families_are_passed_over) {
    EXPECT_FALSE(decodeRoute(routeHeader({.rtm_family = AF_INET,
                                          .rtm_table = RT_TABLE_LOCAL,
                                          .rtm_type = RTN_LOCAL}))
                     .value());
    EXPECT_FALSE(
        decodeRoute(routeHeader({.rtm_family = AF_INET6, .rtm_flags = RTM_F_CLONED}))
            .value());
    EXPECT_FALSE(decodeRoute(routeHeader({.rtm_family = AF_MPLS})).value());
}

TEST(RouteDecode, a_route_without_its_destination_is_no_default_route) {
    const Bytes lost = routeHeader({.rtm_family = AF_INET,
                                    .rtm_dst_len = 24,
                                    .rtm_table = RT_TABLE_MAIN,
                                    .rtm_type = RTN_UNICAST});
    EXPECT_EQ(decodeRoute(lost).error().kind, ErrorKind::malformed);
    Bytes other = routeHeader({.rtm_family = AF_INET6,
                               .rtm_dst_len = 24,
                               .rtm_table = RT_TABLE_MAIN,
                               .rtm_type = RTN_UNICAST});
    appendAttribute(other, RTA_DST, kNetwork);
    EXPECT_EQ(decodeRoute(other).error().kind, ErrorKind::malformed);
    EXPECT_EQ(decodeRoute(ByteView(lost).first(5)).error().kind, ErrorKind::malformed);
}

TEST(RouteDecode, a_rule_for_a_source_address) {
    const host::RoutingRule rule = decodeRule(sourceRule()).value().value();
    EXPECT_FALSE(rule.ipv6);
    EXPECT_EQ(rule.priority, 100U);
    EXPECT_EQ(rule.action, RuleAction::table);
    EXPECT_EQ(rule.table, 1001U);
    EXPECT_EQ(rule.from, IpAddress::v4(10, 0, 1, 1));
    EXPECT_EQ(rule.fromLength, 32);
    EXPECT_FALSE(rule.to);
    EXPECT_FALSE(rule.selective);
    EXPECT_FALSE(rule.inverted);
    EXPECT_FALSE(rule.suppressedLength) << "-1 is nothing";
}

TEST(RouteDecode, a_rule_that_asks_for_more_says_so) {
    Bytes marked = sourceRule();
    appendAttribute(marked, FRA_FWMARK, std::uint32_t{1});
    EXPECT_TRUE(decodeRule(marked).value().value().selective);
    Bytes unmarked = sourceRule();
    appendAttribute(unmarked, FRA_FWMARK, std::uint32_t{0});
    EXPECT_FALSE(decodeRule(unmarked).value().value().selective);
    const Bytes service =
        ruleHeader({.family = AF_INET, .tos = 0x10, .action = FR_ACT_TO_TBL});
    EXPECT_TRUE(decodeRule(service).value().value().selective);
}

TEST(RouteDecode, interfaces_inversion_jumps_and_suppression_of_a_rule) {
    Bytes bytes = ruleHeader(
        {.family = AF_INET6, .action = FR_ACT_GOTO, .flags = FIB_RULE_INVERT});
    addText(bytes, FRA_IIFNAME, "lo");
    addText(bytes, FRA_OIFNAME, "ens1f0np0");
    appendAttribute(bytes, FRA_GOTO, std::uint32_t{300});
    appendAttribute(bytes, FRA_SUPPRESS_PREFIXLEN, std::uint32_t{0});
    const host::RoutingRule rule = decodeRule(bytes).value().value();
    EXPECT_TRUE(rule.ipv6);
    EXPECT_EQ(rule.action, RuleAction::jump);
    EXPECT_EQ(rule.jumpTo, 300U);
    EXPECT_TRUE(rule.inverted);
    EXPECT_EQ(rule.inInterface, "lo");
    EXPECT_EQ(rule.outInterface, "ens1f0np0");
    EXPECT_EQ(rule.suppressedLength, 0U);
}

TEST(RouteDecode, the_table_of_a_vrf_is_none_of_the_rules_own) {
    Bytes bytes = ruleHeader({.family = AF_INET, .action = FR_ACT_TO_TBL});
    appendAttribute(bytes, FRA_L3MDEV, std::uint8_t{1});
    EXPECT_EQ(decodeRule(bytes).value().value().action, RuleAction::other);
}

TEST(RouteDecode, a_rule_without_its_address_is_not_one_for_all) {
    const Bytes lost =
        ruleHeader({.family = AF_INET, .src_len = 32, .action = FR_ACT_TO_TBL});
    EXPECT_EQ(decodeRule(lost).error().kind, ErrorKind::malformed);
    EXPECT_EQ(decodeRule(ByteView(lost).first(4)).error().kind, ErrorKind::malformed);
    EXPECT_FALSE(decodeRule(ruleHeader({.family = AF_BRIDGE})).value());
}

Result<host::Routes> routesFrom(NetlinkPeer& peer) {
    NetlinkChannel channel(peer.opener(), 50ms);
    return RtnlRouting(channel).routes();
}

TEST(RtnlRouting, routes_of_both_families_each_by_its_own_question) {
    NetlinkPeer peer({{message(RTM_NEWROUTE, 1, connected(), NLM_F_MULTI),
                       doneMessage(1),
                       // A kernel without IPv6 answers with what it has.
                       message(RTM_NEWROUTE, 2, connected(), NLM_F_MULTI),
                       doneMessage(2)}});
    const auto routes = routesFrom(peer);
    ASSERT_TRUE(routes) << routes.error().message();
    EXPECT_EQ(routes->routes.size(), 1U);
    EXPECT_EQ(routes->left, 0U);
}

TEST(RtnlRouting, H10_an_interrupted_dump_of_routes_is_not_taken_as_complete) {
    NetlinkPeer peer({{doneMessage(1, 0, NLM_F_DUMP_INTR),
                       message(RTM_NEWROUTE, 2, connected(), NLM_F_MULTI),
                       doneMessage(2),
                       doneMessage(3)}});
    EXPECT_EQ(routesFrom(peer).value().routes.size(), 1U);
}

TEST(RtnlRouting, a_refusal_names_what_was_asked) {
    NetlinkPeer peer({{errorMessage(1, -EPERM)}});
    const auto routes = routesFrom(peer);
    ASSERT_FALSE(routes);
    EXPECT_EQ(routes.error().kind, ErrorKind::permission);
    EXPECT_EQ(routes.error().action, "list routes");
}

TEST(RtnlRouting, a_kernel_without_ipv6_has_none_of_its_rules) {
    NetlinkPeer peer({{message(RTM_NEWRULE, 1, sourceRule(), NLM_F_MULTI),
                       doneMessage(1),
                       errorMessage(2, -EAFNOSUPPORT)}});
    NetlinkChannel channel(peer.opener(), 50ms);
    const auto rules = RtnlRouting(channel).rules();
    ASSERT_TRUE(rules) << rules.error().message();
    EXPECT_EQ(rules->size(), 1U);
}

}  // namespace
}  // namespace fabric::linux_host
