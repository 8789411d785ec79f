// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/arp_fixture.hpp"

#include <gmock/gmock.h>

namespace fabric::resource::arp {
namespace {

using host::Ipv4Key;
using ::testing::HasSubstr;
using ::testing::Not;

class ArpHazards : public ArpFixture {};

TEST_F(ArpHazards, H11_strict_rp_filter_is_a_finding) {
    addRail("ens1", 2, {10, 0, 1, 1});
    addRail("ens2", 3, {10, 0, 2, 1});
    EXPECT_EQ(findingIn(look(), "arp.strict-rp-filter"), nullptr);
    own(3)[Ipv4Key::rpFilter] = 1;
    const Comparison seen = look();
    const Finding* const finding = findingIn(seen, "arp.strict-rp-filter");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Severity::warn);
    EXPECT_THAT(finding->evidence, HasSubstr("ens2"));
    EXPECT_THAT(finding->evidence, Not(HasSubstr("ens1")));
}

TEST_F(ArpHazards, H11_loose_on_the_rail_beats_strict_in_all) {
    addRail("ens1", 2, {10, 0, 1, 1});
    host.ipv4.allValues[Ipv4Key::rpFilter] = 1;
    EXPECT_NE(findingIn(look(), "arp.strict-rp-filter"), nullptr);
    own(2)[Ipv4Key::rpFilter] = 2;
    EXPECT_EQ(findingIn(look(), "arp.strict-rp-filter"), nullptr);
}

TEST_F(ArpHazards, H11_strict_with_a_shared_subnet_kills) {
    addRail("ens1", 2, {10, 9, 0, 1});
    addRail("ens2", 3, {10, 9, 0, 2});
    own(2)[Ipv4Key::rpFilter] = 1;
    own(3)[Ipv4Key::rpFilter] = 1;
    const Comparison seen = look();
    ASSERT_NE(findingIn(seen, "arp.strict-rp-filter"), nullptr);
    EXPECT_EQ(findingIn(seen, "arp.strict-rp-filter")->severity, Severity::fail);
}

TEST_F(ArpHazards, H12_arp_filter_is_a_finding_only_with_a_shared_subnet) {
    addRail("ens1", 2, {10, 0, 1, 1});
    addRail("ens2", 3, {10, 0, 2, 1});
    host.ipv4.allValues[Ipv4Key::arpFilter] = 1;
    EXPECT_EQ(findingIn(look(), "arp.arp-filter-shared-subnet"), nullptr);
    addAddress(3, {10, 0, 0, 9}, 16);
    const Comparison seen = look();
    const Finding* const finding = findingIn(seen, "arp.arp-filter-shared-subnet");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Severity::fail);
    EXPECT_THAT(finding->evidence, HasSubstr("ens1"));
    EXPECT_THAT(finding->evidence, HasSubstr("ens2"));
}

TEST_F(ArpHazards, H12_two_interfaces_of_one_rail_share_nothing_with_another) {
    RailTask& rail = addRail("ens1", 2, {10, 0, 1, 1});
    addLink("ens1.5", 5, "vlan");
    rail.rail.interfaces.push_back({IfIndex{5}, "ens1.5", "vlan"});
    addAddress(5, {10, 0, 1, 2});
    host.ipv4.allValues[Ipv4Key::arpFilter] = 1;
    EXPECT_EQ(findingIn(look(), "arp.arp-filter-shared-subnet"), nullptr);
}

}  // namespace
}  // namespace fabric::resource::arp
