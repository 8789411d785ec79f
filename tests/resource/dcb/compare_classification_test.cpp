// SPDX-License-Identifier: Apache-2.0
// Trust, the DSCP map, and what AUTO makes of it.
#include "harness.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::dcb {
namespace {

using fake::DcbDriver;
using fake::DcbSetter;
using profile::Origin;
using profile::OtherDscp;
using profile::Trust;

void list(Machine& machine, std::uint16_t dscp, std::uint8_t priority) {
    machine.port().list.push_back({.selector = IEEE_8021QAZ_APP_SEL_DSCP,
                                   .priority = priority,
                                   .protocol = dscp});
    machine.port().hardwareMap.at(dscp) = priority;
    machine.port().hardwareTrustsDscp = true;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST(DcbTrust, D10_the_plan_says_that_the_first_entry_switches_all_traffic) {
    Machine machine(DcbDriver::mlx5);
    const Comparison before = machine.look();
    const Step* step = stepFor(before, "dscp-map");
    ASSERT_NE(step, nullptr);
    EXPECT_EQ(step, stepFor(before, "trust"));
    EXPECT_EQ(step->disturbs, Disturbs::traffic);
    EXPECT_TRUE(has(step->summary, "switches trust"));
}

TEST(DcbTrust, D10_keep_forbids_the_flip_and_nothing_is_sent) {
    for (const DcbDriver kind : {DcbDriver::mlx5, DcbDriver::ice}) {
        Machine machine(kind);
        machine.wanted.trust.value = Trust::keep;
        const Comparison after = machine.apply();
        EXPECT_EQ(verdictOf(after, "dscp-map"), Verdict::failed);
        EXPECT_TRUE(has(of(after, "dscp-map").reason, "trust is keep"));
        EXPECT_EQ(stepFor(after, "dscp-map"), nullptr);
        EXPECT_EQ(machine.port().calls[DcbSetter::addApp], 0U);
        EXPECT_EQ(machine.port().trustFlips, 0U);
        EXPECT_EQ(verdictOf(after, "pfc"), Verdict::inSync);
    }
}

TEST(DcbTrust, D10_keep_allows_entries_that_flip_nothing) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.trust.value = Trust::keep;
    list(machine, 1, 0);
    EXPECT_EQ(verdictOf(machine.apply(), "dscp-map"), Verdict::inSync);
    EXPECT_EQ(machine.port().trustFlips, 0U);

    Machine ice(DcbDriver::ice);
    ice.wanted.trust.value = Trust::keep;
    list(ice, 26, 1);  // to be exchanged, and the only one
    EXPECT_EQ(verdictOf(ice.apply(), "dscp-map"), Verdict::inSync);
    EXPECT_EQ(ice.port().trustFlips, 0U);
    EXPECT_TRUE(ice.last.errors.empty());
}

TEST(DcbTrust, pcp_on_mlx5_deletes_every_dscp_entry) {
    Machine machine(DcbDriver::mlx5);
    machine.apply();
    machine.wanted.trust.value = Trust::pcp;
    const Comparison before = machine.look();
    EXPECT_EQ(verdictOf(before, "trust"), Verdict::differs);
    EXPECT_EQ(verdictOf(before, "dscp-map"), Verdict::notApplicable);
    EXPECT_EQ(stepFor(before, "trust")->writes.size(), 64U);
    EXPECT_EQ(verdictOf(machine.apply(), "trust"), Verdict::inSync);
    EXPECT_FALSE(machine.port().hardwareTrustsDscp);
    EXPECT_TRUE(machine.port().list.empty());
    machine.wanted.dscpToPriority->origin = Origin::explicitly;
    EXPECT_EQ(verdictOf(machine.look(), "dscp-map"), Verdict::unsupported);
}

TEST(DcbTrust, pcp_on_ice_sets_pfc_again_since_its_last_entry_resets_it) {
    Machine machine(DcbDriver::ice);
    machine.apply();
    machine.wanted.trust.value = Trust::pcp;
    const Comparison before = machine.look();
    ASSERT_NE(stepFor(before, "pfc"), nullptr);
    EXPECT_LT(stepFor(before, "trust"), stepFor(before, "pfc"));
    EXPECT_EQ(verdictOf(before, "pfc"), Verdict::inSync);
    const Comparison after = machine.apply();
    EXPECT_EQ(verdictOf(after, "trust"), Verdict::inSync);
    EXPECT_EQ(verdictOf(after, "pfc"), Verdict::inSync);
    EXPECT_EQ(machine.port().pfc.pfc_en, 0x08);
}

TEST(DcbTrust, dscp_without_any_entry_cannot_be_and_says_so) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.dscpToPriority.reset();
    machine.wanted.otherDscp.value = OtherDscp::keep;
    const Comparison look = machine.look();
    EXPECT_EQ(verdictOf(look, "trust"), Verdict::failed);
    EXPECT_TRUE(has(of(look, "trust").fix, "dscp-to-priority"));
}

TEST(DcbTrust, D04_without_an_app_trust_table_an_unknown_driver_is_unsupported) {
    Machine machine(DcbDriver::plain);
    machine.port().driverHasAppTrust = true;  // but the kernel is 6.1
    const Comparison after = machine.apply();
    EXPECT_EQ(verdictOf(after, "trust"), Verdict::unsupported);
    EXPECT_TRUE(has(of(after, "trust").reason, "6.2"));
    EXPECT_EQ(machine.port().calls[DcbSetter::appTrust], 0U);
}

TEST(DcbTrust, D04_an_app_trust_that_is_ignored_still_differs) {
    Machine machine(DcbDriver::plain);
    machine.port().kernelHasAppTrust = true;
    machine.port().driverHasAppTrust = true;
    machine.port().trustOrder = {255};
    machine.port().faults.ignored = {DcbSetter::appTrust};
    EXPECT_EQ(verdictOf(machine.apply(), "trust"), Verdict::differs);
    EXPECT_TRUE(machine.last.errors.empty());
}

TEST(DcbMap, D09_unlisted_entries_are_unknown_and_all_64_are_written_when_owned) {
    Machine machine(DcbDriver::mlx5);
    list(machine, 26, 3);
    const Comparison before = machine.look();
    EXPECT_EQ(of(before, "dscp-map").found.toText(), "{26: 3}");
    EXPECT_EQ(verdictOf(before, "dscp-map"), Verdict::differs);
    EXPECT_EQ(stepFor(before, "dscp-map")->writes.size(), 63U);
    EXPECT_EQ(stepFor(before, "dscp-map")->disturbs, Disturbs::none);
    machine.port().hardwareMap[40] = 0;  // hidden leftover of an earlier delete
    machine.apply();
    EXPECT_EQ(machine.port().hardwareMap[40], 5);
}

TEST(DcbMap, D09_the_rest_is_said_to_be_unknown_when_it_is_not_owned) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.otherDscp.value = OtherDscp::keep;
    const Comparison after = machine.apply();
    EXPECT_EQ(verdictOf(after, "dscp-map"), Verdict::inSync);
    ASSERT_NE(findingOf(after, "dcb.dscp-map-unknown"), nullptr);
    EXPECT_TRUE(has(findingOf(after, "dcb.dscp-map-unknown")->summary, "63 DSCPs"));
}

TEST(DcbMap, only_entries_that_differ_are_written) {
    Machine machine(DcbDriver::mlx5);
    machine.apply();
    for (dcb_app& app : machine.port().list) {
        app.priority = app.protocol == 46 ? 1 : app.priority;
    }
    machine.port().hardwareMap[46] = 1;
    const Comparison drifted = machine.look();
    EXPECT_EQ(messages(drifted), std::vector<std::string>{"set DSCP 46 -> priority 5"});
    EXPECT_TRUE(has(of(drifted, "dscp-map").reason,
                    "DSCP 46 is listed with priority 1, wanted 5"));
}

TEST(DcbMap, D11_a_remap_on_mlx5_leaves_no_zero_behind) {
    Machine machine(DcbDriver::mlx5);
    machine.apply();
    const unsigned deletes = machine.port().calls[DcbSetter::deleteApp];
    machine.wanted.dscpToPriority = {{{Dscp::of(26), Priority::of(4)}},
                                     Origin::explicitly};
    machine.apply();
    EXPECT_EQ(machine.port().calls[DcbSetter::deleteApp], deletes);
    EXPECT_EQ(machine.port().hardwareMap[26], 4);
}

TEST(DcbMap, D12_one_dscp_with_two_priorities_is_drift_and_both_are_shown) {
    Machine machine(DcbDriver::bnxt);
    machine.apply();
    machine.port().list.push_back(
        {.selector = IEEE_8021QAZ_APP_SEL_DSCP, .priority = 5, .protocol = 26});
    machine.port().hardwareMap[26] = 5;
    const Comparison look = machine.look();
    EXPECT_EQ(verdictOf(look, "dscp-map"), Verdict::differs);
    EXPECT_EQ(of(look, "dscp-map").found.member("26")->toText(), "[3, 5]");
    EXPECT_TRUE(has(of(look, "dscp-map").reason, "3 and 5"));
    EXPECT_EQ(verdictOf(machine.apply(), "dscp-map"), Verdict::inSync);
    EXPECT_EQ(machine.port().hardwareMap[26], 3);
}

TEST(DcbMap, D08_a_refused_entry_does_not_pass_for_hardware_in_the_next_run) {
    Machine machine(DcbDriver::bnxt);
    machine.port().faults.hardwareRefusesDscp = true;
    const Comparison after = machine.apply();
    EXPECT_FALSE(machine.last.errors.empty());
    EXPECT_TRUE(machine.port().listed(26).empty());
    EXPECT_EQ(verdictOf(after, "dscp-map"), Verdict::differs);
}

TEST(DcbMap, D08_a_full_list_is_no_proof_while_the_firmware_refuses_changes) {
    Machine machine(DcbDriver::bnxt);
    machine.apply();
    machine.port().dcbx = 0x0a;
    const Comparison look = machine.look();
    EXPECT_EQ(verdictOf(look, "dscp-map"), Verdict::failed);
    EXPECT_TRUE(has(of(look, "dscp-map").reason, "no proof"));
}

TEST(DcbMap, D08_a_list_that_is_edited_first_is_named_as_the_only_source) {
    Machine machine(DcbDriver::bnxt);
    const Comparison after = machine.apply();
    ASSERT_NE(findingOf(after, "dcb.list-not-hardware"), nullptr);
    EXPECT_TRUE(has(findingOf(after, "dcb.list-not-hardware")->fix, "niccli"));
}

TEST(DcbMap, D08_on_qede_listed_dscps_are_failed_and_unlisted_ones_unsupported) {
    Machine machine(DcbDriver::plain);
    machine.rail.rail.ports.front().driver = "qede";
    EXPECT_EQ(verdictOf(machine.look(), "dscp-map"), Verdict::unsupported);
    EXPECT_EQ(verdictOf(machine.look(), "trust"), Verdict::unsupported);
    list(machine, 26, 3);
    EXPECT_EQ(verdictOf(machine.look(), "dscp-map"), Verdict::failed);
    EXPECT_TRUE(has(of(machine.look(), "dscp-map").reason, "no proof"));
}

TEST(DcbMap, D08_a_list_of_an_unknown_driver_is_unreadable_not_in_sync) {
    Machine machine(DcbDriver::plain);
    machine.port().driverHasAppOps = false;  // the kernel edits the list, that is all
    const Comparison after = machine.apply();
    EXPECT_EQ(machine.port().listed(26), std::set<std::uint8_t>{3});
    EXPECT_EQ(verdictOf(after, "dscp-map"), Verdict::unreadable);
}

TEST(DcbAuto, D28_several_dscps_of_the_own_block_are_an_info) {
    Machine machine(DcbDriver::mlx5);
    const Comparison after = machine.apply();
    const Finding* finding = findingOf(after, "dcb.auto-ambiguous");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Severity::info);
    EXPECT_EQ(finding->evidence, "DSCP 24, 25, 26, 27, 28, 29, 30, 31");
}

TEST(DcbAuto, D28_a_dscp_from_another_block_or_a_missing_one_is_a_warning) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.dscpToPriority->value[Dscp::of(46)] = Priority::of(3);
    EXPECT_EQ(findingOf(machine.apply(), "dcb.auto-ambiguous")->severity,
              Severity::warn);

    Machine without(DcbDriver::mlx5);
    without.wanted.otherDscp.value = OtherDscp::keep;
    without.wanted.lossless->dscp = Dscp::of(26);
    without.wanted.dscpToPriority = {
        {{Dscp::of(24), Priority::of(3)}, {Dscp::of(25), Priority::of(3)}},
        Origin::explicitly};
    EXPECT_EQ(findingOf(without.apply(), "dcb.auto-ambiguous")->severity,
              Severity::warn);
}

TEST(DcbAuto, D28_exclusive_leaves_one_candidate_and_no_finding) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.otherDscp.value = OtherDscp::exclusive;
    EXPECT_EQ(findingOf(machine.apply(), "dcb.auto-ambiguous"), nullptr);
    EXPECT_EQ(machine.port().hardwareMap[27], 0);
}

TEST(DcbMap, an_explicit_rule_for_other_dscps_on_ice_is_said_to_be_kept) {
    Machine machine(DcbDriver::ice);
    machine.wanted.otherDscp = {OtherDscp::standard, Origin::explicitly};
    EXPECT_NE(findingOf(machine.look(), "dcb.other-dscp-kept"), nullptr);
    EXPECT_EQ(stepFor(machine.look(), "dscp-map")->writes.size(), 1U);
    EXPECT_EQ(stepFor(machine.look(), "dscp-map")->disturbs, Disturbs::traffic);
}

TEST(DcbTrust, an_unreadable_sysfs_file_makes_trust_and_map_unreadable) {
    Machine machine(DcbDriver::mlx5);
    machine.host.files.addFile("/sys/class/net/rail0/qos/trust", "dscp\n");
    machine.host.files.failRead("/sys/class/net/rail0/qos/trust", 5);
    EXPECT_EQ(verdictOf(machine.look(), "trust"), Verdict::unreadable);
    EXPECT_EQ(verdictOf(machine.look(), "dscp-map"), Verdict::unreadable);
    EXPECT_EQ(stepFor(machine.look(), "dscp-map"), nullptr);
}

}  // namespace
}  // namespace fabric::resource::dcb
