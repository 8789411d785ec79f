// SPDX-License-Identifier: Apache-2.0
#include "resource/neighbour/peer_table.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::neighbour {
namespace {

using host::NeighbourState;

const std::vector<profile::NeighbourPeer> kPeers{
    {"node2", "ens1", "10.0.1.2", "02:00:00:00:02:01"},
    {"node2", "ens2", "10.0.2.2", "02:00:00:00:02:02"},
    {"node3", "ens1", "fd00::3", "02:00:00:00:03:01"}};

host::Neighbour cached(std::string_view address, std::string_view mac) {
    return {.key = {.link = IfIndex{2}, .address = IpAddress::parse(address).value()},
            .state = NeighbourState::stale,
            .mac = MacAddress::parse(mac),
            .sinceUpdate = {}};
}

TEST(PeerTable, the_owners_mac_is_right) {
    const PeerTable table(kPeers);
    EXPECT_EQ(table.judge(cached("10.0.1.2", "02:00:00:00:02:01")).match, Match::right);
    EXPECT_EQ(table.judge(cached("fd00::3", "02:00:00:00:03:01")).match, Match::right);
}

TEST(PeerTable, another_rails_mac_is_wrong_and_both_are_named) {
    const PeerTable table(kPeers);
    const Judgement judgement = table.judge(cached("10.0.1.2", "02:00:00:00:02:02"));
    ASSERT_EQ(judgement.match, Match::wrongRail);
    EXPECT_EQ(judgement.owner->text(), "ens1 of node2");
    EXPECT_EQ(judgement.holder->text(), "ens2 of node2");
}

TEST(PeerTable, another_hosts_mac_and_our_own_are_wrong) {
    PeerTable table(kPeers);
    EXPECT_EQ(table.judge(cached("10.0.1.2", "02:00:00:00:03:01")).holder->host,
              "node3");
    table.addOwn("node1", "raila", MacAddress::parse("02:00:00:00:01:01").value());
    const Judgement own = table.judge(cached("10.0.1.2", "02:00:00:00:01:01"));
    ASSERT_EQ(own.match, Match::wrongRail);
    EXPECT_EQ(own.holder->text(), "raila of node1");
}

TEST(PeerTable, an_unknown_mac_proves_nothing) {
    const PeerTable table(kPeers);
    EXPECT_EQ(table.judge(cached("10.0.1.2", "02:00:00:00:09:09")).match,
              Match::unknownMac);
}

TEST(PeerTable, an_entry_without_a_usable_mac_is_unresolved) {
    const PeerTable table(kPeers);
    host::Neighbour failed = cached("10.0.1.2", "02:00:00:00:02:02");
    failed.state = NeighbourState::failed;
    EXPECT_EQ(table.judge(failed).match, Match::unresolved);
    host::Neighbour bare = cached("10.0.1.2", "02:00:00:00:02:02");
    bare.mac.reset();
    EXPECT_EQ(table.judge(bare).match, Match::unresolved);
}

TEST(PeerTable, what_is_not_listed_is_not_judged) {
    EXPECT_EQ(PeerTable(kPeers).judge(cached("10.9.9.9", "02:00:00:00:02:02")).match,
              Match::notListed);
    EXPECT_TRUE(PeerTable().empty());
}

TEST(PeerTable, an_address_listed_twice_with_two_macs_is_a_conflict) {
    std::vector<profile::NeighbourPeer> peers = kPeers;
    peers.push_back({"node4", "ens1", "10.0.1.2", "02:00:00:00:04:01"});
    const PeerTable table(peers);
    ASSERT_EQ(table.conflicts().size(), 1U);
    EXPECT_EQ(table.conflicts()[0], "10.0.1.2 is ens1 of node2 and ens1 of node4");
}

TEST(PeerTable, an_address_listed_with_two_macs_proves_neither_right_nor_wrong) {
    std::vector<profile::NeighbourPeer> peers = kPeers;
    peers.push_back({"node4", "ens1", "10.0.1.2", "02:00:00:00:04:01"});
    const PeerTable table(peers);
    for (const char* mac : {"02:00:00:00:02:01", "02:00:00:00:04:01"}) {
        EXPECT_EQ(table.judge(cached("10.0.1.2", mac)).match, Match::disputed) << mac;
    }
    EXPECT_EQ(table.judge(cached("10.0.1.2", "02:00:00:00:02:02")).match,
              Match::wrongRail);
}

}  // namespace
}  // namespace fabric::resource::neighbour
