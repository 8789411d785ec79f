// SPDX-License-Identifier: Apache-2.0
// DCBX, PFC, cable length.
#include "harness.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::dcb {
namespace {

using fake::DcbDriver;
using fake::DcbSetter;

TEST(DcbFlow, D16_host_is_added_to_the_mode_that_is_there) {
    Machine machine(DcbDriver::mlx5);
    machine.port().dcbx = 0x0c;
    const Comparison before = machine.look();
    EXPECT_EQ(of(before, "dcbx").found, Value("firmware"));
    const auto& write = std::get<DcbWrite>(stepFor(before, "dcbx")->writes.front());
    EXPECT_EQ(write.request.attributes.at(4), std::byte{0x0d});
    machine.apply();
    EXPECT_EQ(machine.port().dcbx, 0x0d);
}

TEST(DcbFlow, dcbx_keep_is_neither_compared_nor_written) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.dcbx = {profile::DcbxOwner::keep, profile::Origin::explicitly};
    machine.apply();
    EXPECT_EQ(machine.port().calls[DcbSetter::dcbx], 0U);
    for (const Assessment& assessment : machine.look().assessments) {
        EXPECT_NE(assessment.property, "dcbx");
    }
}

TEST(DcbFlow, a_driver_without_dcbx_is_excused_only_when_derived) {
    Machine machine(DcbDriver::mlx5);
    machine.port().faults.unsupported = {DcbSetter::dcbx};
    EXPECT_EQ(verdictOf(machine.look(), "dcbx"), Verdict::notApplicable);
    EXPECT_NE(findingOf(machine.look(), "dcb.uncontrollable"), nullptr);
    machine.wanted.dcbx.origin = profile::Origin::explicitly;
    EXPECT_EQ(verdictOf(machine.look(), "dcbx"), Verdict::unsupported);
    EXPECT_EQ(findingOf(machine.look(), "dcb.uncontrollable"), nullptr);
}

TEST(DcbFlow, pfc_is_read_modify_write_of_its_own_bits) {
    Machine machine(DcbDriver::mlx5);
    machine.port().pfc.mbc = 1;
    machine.port().pfc.delay = 42;
    machine.port().pfc.pfc_en = 0x21;
    const Comparison before = machine.look();
    EXPECT_EQ(of(before, "pfc").found.toText(), "[0, 5]");
    EXPECT_EQ(of(before, "pfc").wanted.toText(), "[3]");
    const auto& request =
        std::get<DcbWrite>(stepFor(before, "pfc")->writes.front()).request;
    // nlattr IEEE, nlattr PFC, struct ieee_pfc
    EXPECT_EQ(request.attributes.at(8 + 1), std::byte{0x08});
    EXPECT_EQ(request.attributes.at(8 + 2), std::byte{1});
    EXPECT_EQ(request.attributes.at(8 + 4), std::byte{42});
}

TEST(DcbFlow, D24_the_plan_says_that_a_pfc_change_takes_the_link_down_on_mlx5) {
    Machine machine(DcbDriver::mlx5);
    const Comparison before = machine.look();
    EXPECT_EQ(stepFor(before, "pfc")->disturbs, Disturbs::link);
    EXPECT_EQ(of(before, "pfc").disturbs, Disturbs::link);
    EXPECT_EQ(stepFor(before, "pfc")->link, IfIndex{7});
    Machine other(DcbDriver::ice);
    EXPECT_EQ(stepFor(other.look(), "pfc")->disturbs, Disturbs::traffic);
}

TEST(DcbFlow, cable_length_shares_the_message_and_alone_does_not_bounce_the_link) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.cableLength = Meters{30};
    const Comparison both = machine.look();
    EXPECT_EQ(stepFor(both, "pfc"), stepFor(both, "cable-length"));
    EXPECT_EQ(stepFor(both, "pfc")->writes.size(), 1U);
    machine.port().pfc.pfc_en = 0x08;
    const Comparison alone = machine.look();
    EXPECT_EQ(verdictOf(alone, "pfc"), Verdict::inSync);
    EXPECT_EQ(stepFor(alone, "cable-length")->disturbs, Disturbs::none);
    machine.apply();
    EXPECT_EQ(machine.port().pfc.delay, 30);
    EXPECT_EQ(machine.port().linkBounces, 0U);
}

TEST(DcbFlow, cable_length_is_unsupported_where_the_delay_means_something_else) {
    for (const DcbDriver kind : {DcbDriver::bnxt, DcbDriver::ice}) {
        Machine machine(kind);
        machine.wanted.cableLength = Meters{5};
        EXPECT_EQ(verdictOf(machine.look(), "cable-length"), Verdict::unsupported);
    }
    Machine machine(DcbDriver::mlx5);
    machine.wanted.cableLength = Meters{5};
    machine.port().faults.unsupported = {DcbSetter::buffer};
    EXPECT_EQ(verdictOf(machine.look(), "cable-length"), Verdict::unsupported);
}

TEST(DcbFlow, D07_missing_attribute_is_not_off) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.pfc = {{}, profile::Origin::explicitly};  // no PFC wanted at all
    machine.port().faults.unreadable = {DcbSetter::pfc};
    const Comparison look = machine.look();
    EXPECT_EQ(verdictOf(look, "pfc"), Verdict::unreadable);
    EXPECT_TRUE(of(look, "pfc").found.isNull());
    EXPECT_EQ(stepFor(look, "pfc"), nullptr);
}

TEST(DcbFlow, D02_a_driver_without_pfc_is_unsupported_and_gets_no_write) {
    Machine machine(DcbDriver::plain);
    machine.port().faults.unsupported = {DcbSetter::pfc};
    const Comparison after = machine.apply();
    EXPECT_EQ(verdictOf(after, "pfc"), Verdict::unsupported);
    EXPECT_EQ(machine.port().calls[DcbSetter::pfc], 0U);
}

TEST(DcbFlow, D22_bnxt_gets_ets_before_pfc_even_when_ets_is_not_owned) {
    Machine machine(DcbDriver::bnxt);
    const Comparison before = machine.look();
    ASSERT_EQ(stepFor(before, "pfc")->writes.size(), 2U);
    machine.apply();
    EXPECT_TRUE(machine.last.errors.empty());
    EXPECT_EQ(machine.port().pfc.pfc_en, 0x08);

    machine.port().ets.prio_tc[3] = 1;  // set once: needs no repetition
    machine.port().pfc.pfc_en = 0;
    EXPECT_EQ(stepFor(machine.look(), "pfc")->writes.size(), 1U);
}

TEST(DcbFlow, D22_bnxt_with_owned_ets_sets_it_once_and_first) {
    Machine machine(DcbDriver::bnxt);
    profile::Ets ets;
    ets.priorityToTc = {{Priority::of(3), TrafficClass::of(1)}};
    machine.wanted.ets = ets;
    const Comparison before = machine.look();
    EXPECT_EQ(stepFor(before, "pfc")->writes.size(), 1U);
    EXPECT_LT(stepFor(before, "ets"), stepFor(before, "pfc"));
    machine.apply();
    EXPECT_TRUE(machine.last.errors.empty());
    EXPECT_EQ(machine.port().calls[DcbSetter::ets], 1U);
}

TEST(DcbFlow, firmware_owned_dcbx_is_named_with_the_knob) {
    Machine ice(DcbDriver::ice);
    ice.port().dcbx = 0x0a;
    const Comparison look = ice.look();
    EXPECT_NE(of(look, "pfc").reason.find("firmware owns DCBX"), std::string::npos);
    EXPECT_EQ(of(look, "pfc").fix, "ethtool --set-priv-flags rail0 fw-lldp-agent off");
    const Comparison after = ice.apply();
    EXPECT_EQ(verdictOf(after, "pfc"), Verdict::differs);
    EXPECT_EQ(verdictOf(after, "dcbx"), Verdict::differs);
    EXPECT_FALSE(ice.last.errors.empty());

    Machine bnxt(DcbDriver::bnxt);
    bnxt.port().dcbx = 0x0a;
    EXPECT_NE(of(bnxt.look(), "dcbx").fix.find("niccli"), std::string::npos);
}

}  // namespace
}  // namespace fabric::resource::dcb
