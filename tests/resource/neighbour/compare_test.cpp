// SPDX-License-Identifier: Apache-2.0
#include "resource/neighbour/neighbour_fixture.hpp"

namespace fabric::resource::neighbour {
namespace {

using host::NeighbourState;
using profile::FlushMode;
using profile::StaticEntries;

const IpAddress kPeerA = IpAddress::v4(10, 0, 1, 2);

class NeighbourCompare : public NeighbourFixture {};

TEST_F(NeighbourCompare, nothing_pending_and_nothing_wrong_needs_no_step) {
    listPeers();
    host.neighbours.add(kRailA, "10.0.1.2", kRightMac);
    const Comparison comparison = look();
    EXPECT_TRUE(comparison.steps.empty());
    EXPECT_EQ(only(comparison, "neighbour/raila").verdict, Verdict::inSync);
    EXPECT_EQ(only(comparison, "neighbour/raila/10.0.1.2").verdict, Verdict::inSync);
    EXPECT_TRUE(comparison.findings.empty());
}

TEST_F(NeighbourCompare, H15_a_pending_flush_is_done_by_the_next_run) {
    setPending(kRailA);
    host.neighbours.add(kRailA, "10.0.1.2", kRightMac);
    const Comparison comparison = look();
    EXPECT_EQ(only(comparison, "neighbour/raila").verdict, Verdict::differs);
    EXPECT_EQ(only(comparison, "neighbour/railb").verdict, Verdict::inSync);
    ASSERT_EQ(comparison.steps.size(), 1U);
    const std::vector<Write> expected{
        NeighbourDelete{kRailA, {kPeerA}, true},
        GratuitousArp{kRailA,
                      MacAddress::parse("02:00:00:00:01:01").value(),
                      IpAddress::v4(10, 0, 1, 1)},
        NeighbourResolve{kRailA, {kPeerA}},
        FileRemove{"/run/fabricctl/flush-pending/2"}};
    EXPECT_EQ(comparison.steps[0].writes, expected);
    EXPECT_EQ(comparison.steps[0].disturbs, Disturbs::traffic);
}

TEST_F(NeighbourCompare, H15_the_marker_goes_last) {
    setPending(kRailA);
    const std::vector<Write> writes = writesOf(look());
    ASSERT_FALSE(writes.empty());
    EXPECT_TRUE(std::holds_alternative<FileRemove>(writes.back()));
}

TEST_F(NeighbourCompare, an_arp_change_of_the_same_plan_brings_the_flush_with_it) {
    std::vector<Step> planned(1);
    planned[0].writes.emplace_back(
        FileReplace{.path = "/run/fabricctl/flush-pending/3", .text = ""});
    Scope withPlan = scope();
    withPlan.planned = planned;
    const Comparison comparison = assess(host.reader(), withPlan);
    EXPECT_EQ(only(comparison, "neighbour/raila").verdict, Verdict::inSync);
    EXPECT_EQ(only(comparison, "neighbour/railb").verdict, Verdict::differs);
    EXPECT_EQ(comparison.steps.size(), 1U);
}

TEST_F(NeighbourCompare, without_carrier_the_flush_stays_pending) {
    setPending(kRailA);
    host.links.find(kRailA)->carrier = false;
    const Comparison comparison = look();
    const Assessment& flush = only(comparison, "neighbour/raila");
    EXPECT_EQ(flush.verdict, Verdict::differs);
    EXPECT_TRUE(flush.beyondApply);
    EXPECT_TRUE(comparison.steps.empty());
}

TEST_F(NeighbourCompare, announcing_can_be_declined) {
    setPending(kRailA);
    wanted().announce = false;
    EXPECT_TRUE(writesOfType<GratuitousArp>(look()).empty());
}

TEST_F(NeighbourCompare, never_only_announces) {
    setPending(kRailA);
    wanted().flush = FlushMode::never;
    host.neighbours.add(kRailA, "10.0.1.2", kRightMac);
    const Comparison comparison = look();
    EXPECT_TRUE(writesOfType<NeighbourDelete>(comparison).empty());
    EXPECT_EQ(writesOfType<GratuitousArp>(comparison).size(), 1U);
    wanted().announce = false;
    EXPECT_TRUE(look().steps.empty());
    EXPECT_EQ(only(look(), "neighbour/raila").verdict, Verdict::skipped);
}

TEST_F(NeighbourCompare, always_is_an_act_and_no_difference) {
    wanted().flush = FlushMode::always;
    EXPECT_TRUE(look().steps.empty()) << "nothing is cached";
    host.neighbours.add(kRailA, "10.0.1.2", kRightMac);
    const Comparison comparison = look();
    EXPECT_EQ(only(comparison, "neighbour/raila").verdict, Verdict::inSync);
    EXPECT_TRUE(only(comparison, "neighbour/raila").onEveryApply);
    ASSERT_EQ(comparison.steps.size(), 1U);
    EXPECT_TRUE(writesOfType<GratuitousArp>(comparison).empty())
        << "nothing changed that peers should know";
}

TEST_F(NeighbourCompare, the_mac_of_another_rail_is_a_difference_that_names_both) {
    listPeers();
    host.neighbours.add(kRailA, "10.0.1.2", kOtherMac);
    host.neighbours.add(kRailA, "10.0.1.9", kForeignMac);
    const Comparison comparison = look();
    const Assessment& wrong = only(comparison, "neighbour/raila/10.0.1.2");
    EXPECT_EQ(wrong.verdict, Verdict::differs);
    EXPECT_NE(wrong.reason.find("ens1 of node2"), std::string::npos) << wrong.reason;
    EXPECT_NE(wrong.reason.find("ens2 of node2"), std::string::npos) << wrong.reason;
    const auto deletions = writesOfType<NeighbourDelete>(comparison);
    ASSERT_EQ(deletions.size(), 1U);
    EXPECT_EQ(deletions[0], (NeighbourDelete{kRailA, {kPeerA}, false}))
        << "only the wrong entry goes";
    EXPECT_TRUE(writesOfType<GratuitousArp>(comparison).empty());
}

TEST_F(NeighbourCompare, H09_the_fix_names_the_host_that_answers_on_the_wrong_rail) {
    listPeers();
    host.neighbours.add(kRailA, "10.0.1.2", kOtherMac);
    const Comparison comparison = look();
    const Assessment& wrong = only(comparison, "neighbour/raila/10.0.1.2");
    EXPECT_NE(wrong.fix.find("apply on node2 first"), std::string::npos) << wrong.fix;
}

TEST_F(NeighbourCompare, a_wrong_entry_under_never_is_drift_that_apply_leaves) {
    listPeers();
    wanted().flush = FlushMode::never;
    host.neighbours.add(kRailA, "10.0.1.2", kOtherMac);
    const Comparison comparison = look();
    const Assessment& wrong = only(comparison, "neighbour/raila/10.0.1.2");
    EXPECT_EQ(wrong.verdict, Verdict::differs);
    EXPECT_TRUE(wrong.beyondApply);
    EXPECT_TRUE(comparison.steps.empty());
}

TEST_F(NeighbourCompare, an_unknown_mac_and_silence_are_warnings) {
    listPeers();
    host.neighbours.add(kRailA, "10.0.1.2", kForeignMac);
    host.neighbours.add(kRailB, "10.0.2.2", kOtherMac).state = NeighbourState::failed;
    const Comparison comparison = look();
    EXPECT_TRUE(comparison.steps.empty());
    EXPECT_EQ(only(comparison, "neighbour/raila/10.0.1.2").verdict,
              Verdict::notApplicable);
    for (const char* const id : {"neighbour.unknown-mac", "neighbour.unresolved"}) {
        const Finding* finding = findingOf(comparison, id);
        ASSERT_NE(finding, nullptr) << id;
        EXPECT_EQ(finding->severity, Severity::warn);
    }
}

TEST_F(NeighbourCompare, a_disputed_address_is_never_in_sync_and_never_deleted) {
    listPeers();
    wanted().peers.push_back({"node4", "ens1", "10.0.1.2", std::string(kOtherMac)});
    host.neighbours.add(kRailA, "10.0.1.2", kOtherMac);
    const Comparison comparison = look();
    EXPECT_EQ(only(comparison, "neighbour/raila/10.0.1.2").verdict,
              Verdict::unreadable);
    EXPECT_TRUE(comparison.steps.empty());
    EXPECT_NE(findingOf(comparison, "neighbour.inventory"), nullptr);
}

TEST_F(NeighbourCompare, H07_static_entries_are_reported_and_stay) {
    setPending(kRailA);
    addStatic(kRailA, "10.0.1.2", kRightMac, NeighbourState::permanent);
    addStatic(kRailA, "10.0.1.3", kRightMac, NeighbourState::noArp);
    const Comparison comparison = look();
    const Finding* finding = findingOf(comparison, "neighbour.static");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Severity::warn);
    EXPECT_NE(finding->evidence.find("10.0.1.3"), std::string::npos);
    EXPECT_TRUE(writesOfType<NeighbourDelete>(comparison).at(0).addresses.empty());
}

TEST_F(NeighbourCompare, H07_a_static_entry_proven_wrong_is_a_failed_finding) {
    listPeers();
    addStatic(kRailA, "10.0.1.2", kOtherMac, NeighbourState::permanent);
    const Comparison comparison = look();
    const Finding* finding = findingOf(comparison, "neighbour.static");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Severity::fail);
    EXPECT_NE(finding->evidence.find("ens2 of node2"), std::string::npos);
    EXPECT_TRUE(comparison.steps.empty());
}

TEST_F(NeighbourCompare, H07_static_entries_are_deleted_only_when_asked) {
    wanted().staticEntries = StaticEntries::remove;
    addStatic(kRailA, "10.0.1.2", kRightMac, NeighbourState::permanent);
    const Comparison comparison = look();
    const Assessment& unwanted = only(comparison, "neighbour/raila/10.0.1.2");
    EXPECT_EQ(unwanted.verdict, Verdict::differs);
    EXPECT_TRUE(unwanted.goneIsAsWanted);
    EXPECT_EQ(writesOfType<NeighbourDelete>(comparison).at(0),
              (NeighbourDelete{kRailA, {kPeerA}, false}));
    EXPECT_EQ(findingOf(comparison, "neighbour.static"), nullptr);
}

TEST_F(NeighbourCompare, H08_foreign_entries_are_listed_and_never_deleted) {
    setPending(kRailA);
    listPeers();
    wanted().staticEntries = StaticEntries::remove;
    addStatic(kRailA, "10.0.1.2", kOtherMac, NeighbourState::permanent).externLearned =
        true;
    host.neighbours.add(kRailA, "10.0.1.3", kRightMac).managed = true;
    host.neighbours.add(kRailA, "10.0.1.4", kRightMac).proxy = true;
    const Comparison comparison = look();
    const Finding* finding = findingOf(comparison, "neighbour.foreign");
    ASSERT_NE(finding, nullptr);
    for (const char* const address : {"10.0.1.2", "10.0.1.3", "10.0.1.4"}) {
        EXPECT_NE(finding->evidence.find(address), std::string::npos) << address;
    }
    for (const NeighbourDelete& deletion : writesOfType<NeighbourDelete>(comparison)) {
        EXPECT_TRUE(deletion.addresses.empty());
    }
    const Assessment& wrong = only(comparison, "neighbour/raila/10.0.1.2");
    EXPECT_EQ(wrong.verdict, Verdict::differs);
    EXPECT_TRUE(wrong.beyondApply);
}

TEST_F(NeighbourCompare, without_an_inventory_one_mac_on_two_rails_is_a_hint) {
    host.neighbours.add(kRailA, "10.0.1.2", kOtherMac);
    host.neighbours.add(kRailB, "10.0.2.2", kOtherMac);
    const Comparison comparison = look();
    EXPECT_TRUE(comparison.steps.empty());
    const Finding* finding = findingOf(comparison, "neighbour.same-mac");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Severity::warn);
    EXPECT_TRUE(finding->summary.starts_with("a hint, no proof")) << finding->summary;
    listPeers();
    EXPECT_EQ(findingOf(look(), "neighbour.same-mac"), nullptr)
        << "an inventory decides by itself";
}

TEST_F(NeighbourCompare, one_mac_on_one_rail_is_no_hint) {
    host.neighbours.add(kRailA, "10.0.1.2", kOtherMac);
    host.neighbours.add(kRailA, "10.0.1.3", kOtherMac);
    EXPECT_EQ(findingOf(look(), "neighbour.same-mac"), nullptr);
}

TEST_F(NeighbourCompare, a_refused_rail_gets_no_step) {
    setPending(kRailA);
    listPeers();
    wanted().staticEntries = StaticEntries::remove;
    host.neighbours.add(kRailA, "10.0.1.2", kOtherMac);
    addStatic(kRailA, "10.0.1.3", kRightMac, NeighbourState::permanent);
    rails[0].refusal = "carries the default route";
    const Comparison comparison = look();
    EXPECT_TRUE(comparison.steps.empty());
    EXPECT_EQ(only(comparison, "neighbour/raila").verdict, Verdict::failed);
    EXPECT_EQ(only(comparison, "neighbour/raila/10.0.1.2").verdict, Verdict::failed);
}

TEST_F(NeighbourCompare, peers_from_a_directory_count_like_listed_ones) {
    host.files.addFile("/etc/fabricctl/peers/node2.json",
                       R"({"schema":"fabricctl/peers/1","host":"node2","peers":[
                         {"host":"node2","rail":"ens1","address":"10.0.1.2",
                          "mac":"02:00:00:00:02:01"},
                         {"host":"node2","rail":"ens2","address":"10.0.2.2",
                          "mac":"02:00:00:00:02:02"}]})");
    wanted(0).peersFrom = wanted(1).peersFrom = "/etc/fabricctl/peers";
    host.neighbours.add(kRailA, "10.0.1.2", kOtherMac);
    const Comparison comparison = look();
    EXPECT_EQ(only(comparison, "neighbour/raila/10.0.1.2").verdict, Verdict::differs);
    EXPECT_EQ(only(comparison, "neighbour/peers-from").verdict, Verdict::inSync);
}

TEST_F(NeighbourCompare, an_inventory_that_cannot_be_read_is_unreadable) {
    wanted().peersFrom = "/etc/fabricctl/peers";
    EXPECT_EQ(only(look(), "neighbour/peers-from").verdict, Verdict::unreadable);
    host.files.addFile("/etc/fabricctl/peers/bad.yaml", "peers: [{ host: node2 }]\n");
    const Comparison comparison = look();
    const Assessment& source = only(comparison, "neighbour/peers-from");
    EXPECT_EQ(source.verdict, Verdict::unreadable);
    EXPECT_NE(source.reason.find("bad.yaml"), std::string::npos) << source.reason;
}

}  // namespace
}  // namespace fabric::resource::neighbour
