// SPDX-License-Identifier: Apache-2.0
#include "linux/neighbours.hpp"

#include "linux/neighbour_decode.hpp"
#include "linux/neighbour_writer.hpp"
#include "linux/netlink_peer.hpp"

#include <gtest/gtest.h>

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include <array>
#include <cerrno>

namespace fabric::linux_host {
namespace {

using host::NeighbourState;
using testing::Bytes;
using testing::doneMessage;
using testing::errorMessage;
using testing::message;
using testing::NetlinkPeer;
using namespace std::chrono_literals;

using Mac = std::array<std::uint8_t, 6>;
using Ipv4 = std::array<std::uint8_t, 4>;

constexpr Mac kMac{2, 0, 0, 0, 2, 1};
constexpr Ipv4 kAddress{10, 0, 1, 2};

Bytes header(std::uint8_t family, std::uint16_t state, std::uint8_t flags = 0) {
    Bytes bytes;
    appendValue(bytes,
                ndmsg{.ndm_family = family,
                      .ndm_ifindex = 7,
                      .ndm_state = state,
                      .ndm_flags = flags});
    return bytes;
}

Bytes entry(std::uint16_t state, std::uint8_t flags = 0) {
    Bytes bytes = header(AF_INET, state, flags);
    appendAttribute(bytes, NDA_DST, kAddress);
    appendAttribute(bytes, NDA_LLADDR, kMac);
    return bytes;
}

TEST(NeighbourDecode, an_entry_with_all_that_is_told) {
    Bytes bytes = entry(NUD_STALE, NTF_EXT_LEARNED);
    appendAttribute(bytes, NDA_CACHEINFO, nda_cacheinfo{.ndm_updated = 150});
    appendAttribute(bytes, NDA_FLAGS_EXT, std::uint32_t{NTF_EXT_MANAGED});
    const host::Neighbour told = decodeNeighbour(bytes).value().value();
    EXPECT_EQ(told.key.link, IfIndex{7});
    EXPECT_EQ(told.key.address, IpAddress::v4(10, 0, 1, 2));
    EXPECT_EQ(told.state, NeighbourState::stale);
    EXPECT_EQ(told.mac, MacAddress{kMac});
    EXPECT_TRUE(told.externLearned);
    EXPECT_TRUE(told.managed);
    EXPECT_FALSE(told.proxy);
    EXPECT_EQ(told.sinceUpdate, 1500ms);
    EXPECT_TRUE(told.isUsable());
}

TEST(NeighbourDecode, every_state) {
    const std::array<std::pair<std::uint16_t, NeighbourState>, 9> states{
        {{NUD_NONE, NeighbourState::none},
         {NUD_INCOMPLETE, NeighbourState::incomplete},
         {NUD_REACHABLE, NeighbourState::reachable},
         {NUD_STALE, NeighbourState::stale},
         {NUD_DELAY, NeighbourState::delay},
         {NUD_PROBE, NeighbourState::probe},
         {NUD_FAILED, NeighbourState::failed},
         {NUD_NOARP, NeighbourState::noArp},
         {NUD_PERMANENT, NeighbourState::permanent}}};
    for (const auto& [bits, state] : states) {
        EXPECT_EQ(decodeNeighbour(entry(bits)).value().value().state, state) << bits;
    }
}

TEST(NeighbourDecode, an_ipv6_entry) {
    Bytes bytes = header(AF_INET6, NUD_REACHABLE);
    const IpAddress address = IpAddress::parse("fd00::2").value();
    appendAttribute(bytes, NDA_DST, std::as_bytes(address.bytes()));
    EXPECT_EQ(decodeNeighbour(bytes).value().value().key.address, address);
}

TEST(NeighbourDecode, an_infiniband_address_is_no_mac) {
    Bytes bytes = header(AF_INET, NUD_REACHABLE);
    appendAttribute(bytes, NDA_DST, kAddress);
    appendAttribute(bytes, NDA_LLADDR, std::array<std::uint8_t, 20>{});
    EXPECT_FALSE(decodeNeighbour(bytes).value().value().mac);
}

TEST(NeighbourDecode, bridge_entries_and_entries_without_address_are_passed_over) {
    EXPECT_FALSE(decodeNeighbour(header(AF_BRIDGE, NUD_PERMANENT)).value());
    EXPECT_FALSE(decodeNeighbour(header(AF_INET, NUD_STALE)).value());
    Bytes mixed = header(AF_INET6, NUD_STALE);
    appendAttribute(mixed, NDA_DST, kAddress);
    EXPECT_FALSE(decodeNeighbour(mixed).value());
}

TEST(NeighbourDecode, cut_off_bytes_are_malformed) {
    const Bytes whole = entry(NUD_STALE);
    EXPECT_EQ(decodeNeighbour(ByteView(whole).first(5)).error().kind,
              ErrorKind::malformed);
    EXPECT_EQ(decodeNeighbour(ByteView(whole).first(18)).error().kind,
              ErrorKind::malformed);
}

// A whole look asks three times: IPv4, IPv6, proxies.
TEST(RtnlNeighbours, H10_an_interrupted_dump_is_not_taken_as_complete) {
    NetlinkPeer peer({{message(RTM_NEWNEIGH, 1, entry(NUD_STALE), NLM_F_MULTI),
                       doneMessage(1, 0, NLM_F_DUMP_INTR),
                       message(RTM_NEWNEIGH, 2, entry(NUD_STALE), NLM_F_MULTI),
                       message(RTM_NEWNEIGH, 2, entry(NUD_REACHABLE), NLM_F_MULTI),
                       doneMessage(2),
                       doneMessage(3),
                       doneMessage(4)}});
    NetlinkChannel channel(peer.opener(), 50ms);
    EXPECT_EQ(RtnlNeighbours(channel).neighbours().value().size(), 2U);
    EXPECT_EQ(peer.takeRequests().size(), 4U);
}

TEST(RtnlNeighbours, H10_a_cache_that_never_holds_still_is_an_error) {
    NetlinkPeer::Script script;
    for (std::uint32_t sequence = 1; sequence <= 9; ++sequence) {
        script.push_back(doneMessage(sequence, 0, NLM_F_DUMP_INTR));
    }
    NetlinkPeer peer(std::vector<NetlinkPeer::Script>{script});
    NetlinkChannel channel(peer.opener(), 50ms);
    const auto entries = RtnlNeighbours(channel).neighbours();
    EXPECT_EQ(entries.error().kind, ErrorKind::busy);
    EXPECT_EQ(entries.error().action, "list neighbour entries");
}

TEST(RtnlNeighbours, a_whole_look_is_one_dump_per_family_and_one_for_proxies) {
    NetlinkPeer peer({{message(RTM_NEWNEIGH, 1, entry(NUD_STALE), NLM_F_MULTI),
                       doneMessage(1),
                       doneMessage(2),
                       message(RTM_NEWNEIGH, 3, entry(0, NTF_PROXY), NLM_F_MULTI),
                       doneMessage(3)}});
    NetlinkChannel channel(peer.opener(), 50ms);
    const auto entries = RtnlNeighbours(channel).neighbours().value();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_TRUE(entries[1].proxy);
    std::vector<std::pair<int, int>> asked;
    for (const Bytes& request : peer.takeRequests()) {
        const auto ndm =
            valueAt<ndmsg>(ByteView(request).subspan(sizeof(nlmsghdr))).value();
        asked.emplace_back(ndm.ndm_family, ndm.ndm_flags);
    }
    const std::vector<std::pair<int, int>> expected{
        {AF_INET, 0}, {AF_INET6, 0}, {AF_UNSPEC, NTF_PROXY}};
    EXPECT_EQ(asked, expected);
}

TEST(RtnlNeighbourWriter, an_entry_that_is_gone_is_deleted) {
    NetlinkPeer peer({{errorMessage(1, -ENOENT), errorMessage(2, -EPERM)}});
    NetlinkChannel channel(peer.opener(), 50ms);
    RtnlNeighbourWriter writer(channel);
    const host::NeighbourKey key{IfIndex{7}, IpAddress::v4(10, 0, 1, 2)};
    EXPECT_TRUE(writer.remove(key));
    const auto refused = writer.remove(key);
    EXPECT_EQ(refused.error().kind, ErrorKind::permission);
    EXPECT_NE(refused.error().message().find("delete neighbour 10.0.1.2"),
              std::string::npos);
}

// With any other state the kernel would make a permanent entry, or refuse.
TEST(RtnlNeighbourWriter, resolving_uses_the_address_and_sets_no_state) {
    NetlinkPeer peer({{errorMessage(1, 0)}});
    NetlinkChannel channel(peer.opener(), 50ms);
    ASSERT_TRUE(
        RtnlNeighbourWriter(channel).resolve({IfIndex{7}, IpAddress::v4(10, 0, 1, 2)}));
    const Bytes request = peer.takeRequests().at(0);
    const auto head = valueAt<nlmsghdr>(request).value();
    const auto ndm =
        valueAt<ndmsg>(ByteView(request).subspan(sizeof(nlmsghdr))).value();
    EXPECT_EQ(head.nlmsg_type, RTM_NEWNEIGH);
    EXPECT_NE(head.nlmsg_flags & NLM_F_CREATE, 0);
    EXPECT_EQ(ndm.ndm_state, NUD_NONE);
    EXPECT_EQ(ndm.ndm_flags, NTF_USE);
    EXPECT_EQ(ndm.ndm_ifindex, 7);
}

}  // namespace
}  // namespace fabric::linux_host
