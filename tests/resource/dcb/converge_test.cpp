// SPDX-License-Identifier: Apache-2.0
// Whole rounds on every kind of driver: look, write, look again, and nothing is left to
// write.
#include "harness.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabric::resource::dcb {
namespace {

using fake::DcbDriver;
using fake::DcbSetter;

void expectNothingLeft(Machine& machine) {
    const unsigned before = machine.dcb.setterCalls();
    const Comparison second = machine.look();
    EXPECT_TRUE(second.steps.empty()) << testing::PrintToString(messages(second));
    machine.carryOut(second);
    EXPECT_EQ(machine.dcb.setterCalls(), before);
}

TEST(DcbConverge, mlx5_from_factory_state) {
    Machine machine(DcbDriver::mlx5);
    const Comparison after = machine.apply();
    EXPECT_TRUE(machine.last.errors.empty());
    for (const Assessment& assessment : after.assessments) {
        EXPECT_EQ(assessment.verdict, Verdict::inSync) << assessment.id;
    }
    EXPECT_EQ(machine.port().hardwareMap[26], 3);
    EXPECT_TRUE(machine.port().hardwareTrustsDscp);
    EXPECT_EQ(machine.port().list.size(), 64U);
    EXPECT_EQ(machine.port().linkBounces, 1U);
    EXPECT_EQ(machine.port().dcbx, 0x0d);
    expectNothingLeft(machine);
}

TEST(DcbConverge, mlx5_with_everything_owned) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.bufferSize = {
        {{BufferIndex::of(1), Bytes{100000}}, {BufferIndex::of(0), Bytes{50000}}}};
    machine.wanted.cableLength = Meters{30};
    machine.wanted.maxRate = {{{TrafficClass::of(3), Kbps{100'500'000}}}};
    profile::Ets ets;
    ets.priorityToTc = {{Priority::of(3), TrafficClass::of(3)}};
    ets.tsa = {{TrafficClass::of(3), profile::TransmissionSelection::ets},
               {TrafficClass::of(6), profile::TransmissionSelection::strict}};
    ets.bandwidthPercent = {{TrafficClass::of(0), 50}, {TrafficClass::of(3), 50}};
    machine.wanted.ets = ets;
    const Comparison after = machine.apply();
    EXPECT_TRUE(machine.last.errors.empty())
        << testing::PrintToString(machine.last.errors);
    for (const Assessment& assessment : after.assessments) {
        EXPECT_EQ(assessment.verdict, Verdict::inSync)
            << assessment.id << " " << assessment.reason;
    }
    EXPECT_EQ(machine.port().pfc.delay, 30);
    expectNothingLeft(machine);
}

TEST(DcbConverge, bnxt_from_factory_state) {
    Machine machine(DcbDriver::bnxt);
    const Comparison after = machine.apply();
    EXPECT_TRUE(machine.last.errors.empty())
        << testing::PrintToString(machine.last.errors);
    EXPECT_EQ(verdictOf(after, "pfc"), Verdict::inSync);
    EXPECT_EQ(verdictOf(after, "dscp-map"), Verdict::inSync);
    EXPECT_EQ(verdictOf(after, "trust"), Verdict::inSync);
    EXPECT_EQ(verdictOf(after, "priority-to-buffer"), Verdict::notApplicable);
    EXPECT_EQ(machine.port().hardwareMap[26], 3);
    expectNothingLeft(machine);
}

TEST(DcbConverge, ice_from_factory_state) {
    Machine machine(DcbDriver::ice);
    const Comparison after = machine.apply();
    EXPECT_TRUE(machine.last.errors.empty());
    EXPECT_EQ(verdictOf(after, "pfc"), Verdict::inSync);
    EXPECT_EQ(verdictOf(after, "dscp-map"), Verdict::inSync);
    EXPECT_EQ(verdictOf(after, "trust"), Verdict::inSync);
    EXPECT_EQ(machine.port().list.size(), 1U);
    expectNothingLeft(machine);
}

TEST(DcbConverge, a_driver_with_an_app_trust_table) {
    Machine machine(DcbDriver::plain);
    machine.port().kernelHasAppTrust = true;
    machine.port().driverHasAppTrust = true;
    machine.port().trustOrder = {255};
    const Comparison after = machine.apply();
    for (const Assessment& assessment : after.assessments) {
        EXPECT_EQ(assessment.verdict, Verdict::inSync)
            << assessment.id << " " << assessment.reason;
    }
    EXPECT_EQ(machine.port().trustOrder, (std::vector<std::uint8_t>{5, 255}));
    expectNothingLeft(machine);
}

// mlx5 of an old MLNX_OFED: trust and map are files.
TEST(DcbConverge, sysfs_trust_and_map) {
    Machine machine(DcbDriver::mlx5);
    auto& files = machine.host.files;
    constexpr std::string_view kTrust = "/sys/class/net/rail0/qos/trust";
    constexpr std::string_view kMap = "/sys/class/net/rail0/qos/dscp2prio";
    std::map<int, int> map;
    for (int dscp = 0; dscp < 64; ++dscp) {
        map[dscp] = dscp / 8;
    }
    map[26] = 0;
    const auto mapText = [&] {
        std::string text = "dscp\tprio\n";
        for (const auto& [dscp, priority] : map) {
            text += std::to_string(dscp) + "\t" + std::to_string(priority) + "\n";
        }
        return text;
    };
    files.addAttribute(kTrust, "pcp\n", [&](std::string_view text) {
        files.find(kTrust)->content = std::string(text) + "\n";
        return 0;
    });
    files.addAttribute(kMap, mapText(), [&](std::string_view text) {
        const auto gap = text.find(' ');
        map[std::stoi(std::string(text.substr(0, gap)))] =
            std::stoi(std::string(text.substr(gap + 1)));
        files.find(kMap)->content = mapText();
        return 0;
    });
    const Comparison before = machine.look();
    EXPECT_EQ(verdictOf(before, "trust"), Verdict::differs);
    EXPECT_EQ(stepFor(before, "dscp-map")->writes.size(), 1U);
    const Comparison after = machine.apply();
    EXPECT_EQ(verdictOf(after, "trust"), Verdict::inSync);
    EXPECT_EQ(verdictOf(after, "dscp-map"), Verdict::inSync);
    EXPECT_EQ(map[26], 3);
    EXPECT_TRUE(machine.port().list.empty());
    EXPECT_EQ(files.writes().size(), 2U);
    expectNothingLeft(machine);
}

TEST(DcbConverge, D19_a_flushed_list_is_drift_and_is_set_again) {
    Machine machine(DcbDriver::mlx5);
    machine.apply();
    machine.port().list.clear();  // the net device moved to another namespace
    const Comparison drifted = machine.look();
    EXPECT_EQ(verdictOf(drifted, "trust"), Verdict::differs);
    EXPECT_EQ(verdictOf(drifted, "dscp-map"), Verdict::differs);
    EXPECT_EQ(verdictOf(drifted, "pfc"), Verdict::inSync);
    const Comparison after = machine.apply();
    EXPECT_EQ(verdictOf(after, "dscp-map"), Verdict::inSync);
    expectNothingLeft(machine);
}

TEST(DcbConverge, D15_a_value_that_changes_back_is_drift_and_the_owner_is_named) {
    Machine machine(DcbDriver::mlx5);
    machine.apply();
    machine.dcb.changeAtGet(2, [&] {  // a peer negotiates with the firmware
        machine.port().pfc.pfc_en = 0;
        machine.port().dcbx = 0x0c;
    });
    EXPECT_EQ(verdictOf(machine.look(), "pfc"), Verdict::inSync);
    const Comparison later = machine.look();
    EXPECT_EQ(verdictOf(later, "pfc"), Verdict::differs);
    EXPECT_NE(of(later, "pfc").reason.find("firmware owns DCBX"), std::string::npos);
}

TEST(DcbConverge, D14_a_setter_that_answers_0_and_changes_nothing_still_differs) {
    for (const DcbSetter setter : {DcbSetter::pfc, DcbSetter::addApp}) {
        Machine machine(DcbDriver::mlx5);
        machine.port().faults.ignored = {setter};
        const Comparison after = machine.apply();
        EXPECT_TRUE(machine.last.errors.empty());
        const std::string_view property = setter == DcbSetter::pfc ? "pfc" : "dscp-map";
        EXPECT_EQ(verdictOf(after, property), Verdict::differs);
        EXPECT_NE(stepFor(after, property), nullptr);
    }
}

TEST(DcbConverge, D13_pfc_that_moved_although_its_message_failed_is_seen) {
    Machine machine(DcbDriver::mlx5);
    machine.port().faults.pfcMovesThenNoMemory = true;
    const Comparison before = machine.look();
    const Comparison after = machine.apply();
    ASSERT_EQ(machine.last.errors.size(), 1U);
    EXPECT_NE(machine.last.errors[0].find("set PFC"), std::string::npos);
    EXPECT_EQ(of(before, "pfc").found.toText(), "[]");
    EXPECT_EQ(of(after, "pfc").found.toText(), "[3]");
}

TEST(DcbConverge, D06_a_positive_code_leaves_the_verdict_to_the_read_back) {
    Machine works(DcbDriver::ice);
    works.port().faults.codeAfterChange = {{DcbSetter::pfc, 2}};
    EXPECT_EQ(verdictOf(works.apply(), "pfc"), Verdict::inSync);
    EXPECT_EQ(works.last.notes.size(), 1U);

    Machine fails(DcbDriver::ice);
    fails.port().faults.code = {{DcbSetter::pfc, 1}};
    EXPECT_EQ(verdictOf(fails.apply(), "pfc"), Verdict::differs);
    EXPECT_TRUE(fails.last.errors.empty());
    EXPECT_EQ(fails.last.notes.size(), 1U);
}

TEST(DcbConverge, D17_dcbx_answer_1_is_judged_by_the_read_back) {
    Machine machine(DcbDriver::mlx5);
    machine.port().faults.codeAfterChange = {{DcbSetter::dcbx, 1}};
    EXPECT_EQ(verdictOf(machine.apply(), "dcbx"), Verdict::inSync);
    EXPECT_EQ(machine.last.notes.size(), 1U);

    Machine refused(DcbDriver::mlx5);
    refused.port().firmwareKeepsDcbx = true;
    EXPECT_EQ(verdictOf(refused.apply(), "dcbx"), Verdict::differs);
}

TEST(DcbConverge, D24_an_equal_pfc_value_is_not_written_and_does_not_bounce) {
    Machine machine(DcbDriver::mlx5);
    machine.apply();
    EXPECT_EQ(machine.port().calls[DcbSetter::pfc], 1U);
    machine.port().list.clear();
    machine.apply();
    EXPECT_EQ(machine.port().calls[DcbSetter::pfc], 1U);
    EXPECT_EQ(machine.port().linkBounces, 1U);
}

TEST(DcbConverge, a_failed_step_leaves_the_others_done) {
    Machine machine(DcbDriver::mlx5);
    machine.port().faults.code = {{DcbSetter::buffer, 251}};  // EIO
    const Comparison after = machine.apply();
    EXPECT_EQ(machine.last.errors.size(), 1U);
    EXPECT_EQ(verdictOf(after, "pfc"), Verdict::inSync);
    EXPECT_EQ(verdictOf(after, "dscp-map"), Verdict::inSync);
    EXPECT_EQ(verdictOf(after, "priority-to-buffer"), Verdict::differs);
}

}  // namespace
}  // namespace fabric::resource::dcb
