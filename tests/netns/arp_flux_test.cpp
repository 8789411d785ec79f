// SPDX-License-Identifier: Apache-2.0
#include "netns/two_hosts.hpp"

namespace fabric::netns {
namespace {

using host::Ipv4Key;

constexpr int kAsked = 16;  // kTries for each of the two addresses

class ArpFlux : public TwoHosts {
  protected:
    // Which rail's answer comes first depends on the order of bridge ports, and on a
    // busy machine on the scheduler: of two addresses one is nearly always served by
    // the wrong rail.
    void expectFlux(const std::string& why) {
        const Count count = resolveBoth();
        EXPECT_GT(count.wrong, 0) << why;
        EXPECT_EQ(count.none, 0) << why;
    }

    void expectRight(const std::string& why) {
        const Count count = resolveBoth();
        EXPECT_EQ(count.right, kAsked) << why;
    }
};

TEST_F(ArpFlux, H02_only_one_and_two_cure_it) {
    useSeparateSubnets();
    for (const int value : {0, 3, 4, 5, 6, 7, 9}) {
        setOnB(Ipv4Key::arpIgnore, value);
        expectFlux("arp_ignore=" + std::to_string(value));
    }
    for (const int value : {1, 2}) {
        setOnB(Ipv4Key::arpIgnore, value);
        expectRight("arp_ignore=" + std::to_string(value));
    }
}

TEST_F(ArpFlux, H02_eight_never_answers) {
    useSeparateSubnets();
    setOnB(Ipv4Key::arpIgnore, 8);
    EXPECT_FALSE(a->resolve("a1", firstOfB).has_value());
    EXPECT_FALSE(a->resolve("a2", secondOfB).has_value());
}

TEST_F(ArpFlux, a_negative_value_is_taken_and_leaves_it_to_conf_all) {
    useSeparateSubnets();
    setOnB(Ipv4Key::arpIgnore, -1);
    EXPECT_EQ(b->sysctl("conf/b1/arp_ignore"), -1);
    expectFlux("-1 over conf.all=0");
    b->setSysctl("conf/all/arp_ignore", 1);
    expectRight("-1 over conf.all=1");
}

TEST_F(ArpFlux, H01_all_four_defeats_a_rail_with_one) {
    useSeparateSubnets();
    setOnB(Ipv4Key::arpIgnore, 1);
    expectRight("conf.all=0");
    b->setSysctl("conf/all/arp_ignore", 4);
    expectFlux("conf.all=4");
}

TEST_F(ArpFlux, two_gives_no_answer_to_an_asker_from_another_subnet) {
    useSeparateSubnets();
    a->removeAddresses("a1");
    a->addAddress("a1", {10, 0, 3, 1}, 24);
    a->addHostRoute("a1", firstOfB);
    setOnB(Ipv4Key::arpIgnore, 1);
    EXPECT_EQ(a->resolve("a1", firstOfB), kB1);
    setOnB(Ipv4Key::arpIgnore, 2);
    EXPECT_FALSE(a->resolve("a1", firstOfB).has_value());
}

TEST_F(ArpFlux, H11_strict_rp_filter_hides_it_and_loose_shows_it_again) {
    useSeparateSubnets();
    setOnB(Ipv4Key::rpFilter, 0);
    expectFlux("rp_filter=0");
    setOnB(Ipv4Key::rpFilter, 1);
    expectRight("rp_filter=1");
    setOnB(Ipv4Key::rpFilter, 2);
    expectFlux("rp_filter=2");
}

TEST_F(ArpFlux, H11_with_one_subnet_strict_rp_filter_leaves_one_rail_dead) {
    useOneSubnet();
    setOnB(Ipv4Key::arpIgnore, 1);
    for (const int loose : {0, 2}) {
        setOnB(Ipv4Key::rpFilter, loose);
        expectRight("rp_filter=" + std::to_string(loose));
    }
    setOnB(Ipv4Key::rpFilter, 1);
    EXPECT_EQ(a->resolve("a1", firstOfB), kB1);
    EXPECT_FALSE(a->resolve("a2", secondOfB).has_value());
}

TEST_F(ArpFlux, H12_arp_filter_with_one_subnet_maps_the_second_rail_to_the_first) {
    useOneSubnet();
    setOnB(Ipv4Key::arpFilter, 1);
    for (int attempt = 0; attempt < kTries; ++attempt) {
        EXPECT_EQ(a->resolve("a2", secondOfB), kB1);
    }
}

TEST_F(ArpFlux, H12_arp_filter_with_separate_subnets_does_no_harm) {
    useSeparateSubnets();
    setOnB(Ipv4Key::arpFilter, 1);
    expectRight("arp_filter=1");
}

// B sends from its rail-1 address out of rail 2. A's entry for that address follows the
// sender of the request, whatever A asked for before.
TEST_F(ArpFlux, H03_only_announce_two_keeps_the_peers_cache_right) {
    useSeparateSubnets();
    setOnB(Ipv4Key::arpIgnore, 1);
    for (const int value : {0, 3}) {
        setOnB(Ipv4Key::arpAnnounce, value);
        ASSERT_EQ(a->resolve("a1", firstOfB), kB1);
        ASSERT_TRUE(b->sendFrom(firstOfB, "b2", {10, 0, 2, 1}));
        EXPECT_EQ(a->cached("a1", firstOfB), kB2) << "arp_announce=" << value;
    }
    // 1 keeps the source only where it lies in the target's subnet, which it does not.
    for (const int value : {1, 2}) {
        setOnB(Ipv4Key::arpAnnounce, value);
        ASSERT_EQ(a->resolve("a1", firstOfB), kB1);
        ASSERT_TRUE(b->sendFrom(firstOfB, "b2", {10, 0, 2, 1}));
        EXPECT_EQ(a->cached("a1", firstOfB), kB1) << "arp_announce=" << value;
    }
}

// With one subnet the source does lie in the target's subnet: 1 is not enough.
TEST_F(ArpFlux, H03_announce_one_is_not_enough_with_one_subnet) {
    useOneSubnet();
    setOnB(Ipv4Key::arpIgnore, 1);
    for (const auto& [value, kept] : {std::pair{1, kB2}, {2, kB1}}) {
        setOnB(Ipv4Key::arpAnnounce, value);
        ASSERT_EQ(a->resolve("a1", firstOfB), kB1);
        ASSERT_TRUE(b->sendFrom(firstOfB, "b2", {10, 9, 2, 1}));
        EXPECT_EQ(a->cached("a1", firstOfB), kept) << "arp_announce=" << value;
    }
}

// A request that is not answered updates no entry (net/ipv4/arp.c, arp_process).
TEST_F(ArpFlux, own_arp_ignore_keeps_a_peer_that_announces_wrongly_out_of_the_cache) {
    useSeparateSubnets();
    setOnB(Ipv4Key::arpIgnore, 1);
    a->setSysctl("conf/a1/arp_ignore", 1);
    ASSERT_EQ(a->resolve("a1", firstOfB), kB1);
    ASSERT_TRUE(b->sendFrom(firstOfB, "b2", {10, 0, 2, 1}));
    EXPECT_EQ(a->cached("a1", firstOfB), kB1);
}

}  // namespace
}  // namespace fabric::netns
