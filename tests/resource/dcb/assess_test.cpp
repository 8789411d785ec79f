// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/assess.hpp"

#include "harness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

namespace fabric::resource::dcb {
namespace {

using fake::DcbDriver;

TEST(DcbAssess, names_every_property_that_the_profile_owns_and_no_other) {
    Machine machine(DcbDriver::mlx5);
    std::vector<std::string> ids;
    for (const Assessment& assessment : machine.look().assessments) {
        ids.push_back(assessment.id);
        EXPECT_EQ(assessment.rail, "rail0");
        EXPECT_EQ(assessment.rdma, "mlx5_0");
        EXPECT_EQ(assessment.pci, "0000:1a:00.0");
        EXPECT_EQ(assessment.device, "rail0");
        EXPECT_EQ(assessment.kind, Kind::dcb);
    }
    EXPECT_EQ(ids,
              (std::vector<std::string>{"dcb/rail0/dcbx",
                                        "dcb/rail0/trust",
                                        "dcb/rail0/dscp-map",
                                        "dcb/rail0/pfc",
                                        "dcb/rail0/priority-to-buffer"}));
}

TEST(DcbAssess, one_request_per_port) {
    Machine machine(DcbDriver::mlx5);
    static_cast<void>(machine.look());
    EXPECT_EQ(machine.dcb.getCalls(), 1U);
}

TEST(DcbAssess, steps_run_in_the_order_of_the_stages) {
    Machine machine(DcbDriver::mlx5);
    std::vector<Stage> stages;
    for (const Step& step : machine.look().steps) {
        stages.push_back(step.stage);
    }
    EXPECT_EQ(
        stages,
        (std::vector{Stage::dcbx, Stage::pfc, Stage::buffer, Stage::classification}));
}

TEST(DcbAssess, no_dcb_at_all_is_unsupported_and_what_is_derived_does_not_apply) {
    Machine machine(DcbDriver::none);
    const Comparison look = machine.look();
    for (const char* property : {"pfc", "trust", "dscp-map"}) {
        EXPECT_EQ(verdictOf(look, property), Verdict::unsupported);
    }
    EXPECT_EQ(verdictOf(look, "priority-to-buffer"), Verdict::notApplicable);
    EXPECT_EQ(of(look, "pfc").wanted.toText(), "[3]");
    EXPECT_TRUE(look.steps.empty());
}

TEST(DcbAssess, an_unreadable_port_spoils_no_other) {
    Machine machine(DcbDriver::mlx5);
    machine.host.links.add(8, "rail1");
    machine.dcb.add({8}, DcbDriver::mlx5);
    machine.rail.rail.ports.push_back(
        {.link = {8}, .name = "rail1", .driver = "mlx5_core"});
    machine.port().faults.mangleGet = [](host::DcbAnswer answer) {
        answer.resize(answer.size() - 9);
        return answer;
    };
    const Comparison look = machine.look();
    for (const Assessment& assessment : look.assessments) {
        EXPECT_EQ(assessment.verdict == Verdict::unreadable,
                  assessment.device == "rail0")
            << assessment.id;
    }
    for (const Step& step : look.steps) {
        EXPECT_EQ(step.link, IfIndex{8});
    }
}

TEST(DcbAssess, D20_a_read_that_is_not_permitted_is_unreadable_and_says_what_it_takes) {
    Machine machine(DcbDriver::mlx5);
    machine.port().faults.getErrno = EPERM;
    const Comparison look = machine.look();
    EXPECT_EQ(verdictOf(look, "pfc"), Verdict::unreadable);
    EXPECT_NE(of(look, "pfc").fix.find("root"), std::string::npos);
}

// The core refuses every write of a user namespace's root, while reading works.
TEST(DcbAssess, D20_eperm_of_the_core_reaches_the_engine_as_lack_of_permission) {
    Machine machine(DcbDriver::mlx5);
    machine.port().faults.setErrno = EPERM;
    const Comparison after = machine.apply();
    EXPECT_EQ(machine.last.errors.size(), 4U);
    EXPECT_EQ(machine.dcb.setterCalls(), 0U);
    EXPECT_EQ(verdictOf(after, "pfc"), Verdict::differs);
}

TEST(DcbAssess, D21_a_rail_without_a_port_is_not_applicable_and_says_why) {
    Machine machine(DcbDriver::mlx5);
    machine.rail.rail.ports.clear();
    machine.rail.rail.resolution = "VF of a port in another namespace";
    const Comparison look = machine.look();
    for (const Assessment& assessment : look.assessments) {
        EXPECT_EQ(assessment.verdict, Verdict::notApplicable);
        EXPECT_NE(assessment.reason.find("VF of a port in another namespace"),
                  std::string::npos);
    }
    EXPECT_EQ(machine.dcb.getCalls(), 0U);
}

TEST(DcbAssess, D21_a_stacked_rail_acts_on_its_ports_under_their_names) {
    Machine machine(DcbDriver::mlx5);
    machine.host.links.add(8, "rail1");
    machine.dcb.add({8}, DcbDriver::mlx5);
    machine.rail.rail.name = "bond0";
    machine.rail.rail.ports.push_back(
        {.link = {8}, .name = "rail1", .driver = "mlx5_core"});
    const Comparison look = machine.look();
    EXPECT_EQ(look.assessments.size(), 10U);
    EXPECT_EQ(look.assessments.back().id, "dcb/rail1/priority-to-buffer");
    EXPECT_EQ(look.assessments.back().rail, "bond0");
    EXPECT_TRUE(machine.apply().steps.empty());
    EXPECT_EQ(machine.dcb.port({8}).pfc.pfc_en, 0x08);
}

TEST(DcbAssess, a_refused_rail_is_failed_and_gets_no_write) {
    Machine machine(DcbDriver::mlx5);
    machine.rail.refusal = "carries the default route";
    const Comparison look = machine.look();
    EXPECT_TRUE(look.steps.empty());
    for (const Assessment& assessment : look.assessments) {
        EXPECT_EQ(assessment.verdict, Verdict::failed);
        EXPECT_EQ(assessment.reason, "carries the default route");
    }
    EXPECT_EQ(of(look, "pfc").found.toText(), "[]");
}

TEST(DcbAssess, two_rails_on_one_port_are_one_set_of_assessments_and_steps) {
    Machine machine(DcbDriver::mlx5);
    RailTask first = machine.rail;
    first.settings.dcb = machine.wanted;
    RailTask second = first;
    second.rail.name = "rail0v0";
    const profile::HostSettings hostSettings;
    const inventory::Platform platform;
    const std::vector<RailTask> rails{first, second};
    const Comparison look =
        assess(machine.host.reader(),
               {.rails = rails, .host = hostSettings, .platform = platform});
    EXPECT_EQ(look.assessments.size(), 5U);
    EXPECT_EQ(look.steps.size(), 4U);
}

bool isFine(const Assessment& assessment) {
    return assessment.verdict == Verdict::inSync ||
           assessment.verdict == Verdict::notApplicable;
}

// One byte of every answer is another one, or the answer ends there. One byte can make
// one property look right, not all of them.
TEST(DcbAssess, no_damaged_answer_makes_a_wrong_port_right) {
    Machine machine(DcbDriver::mlx5);
    std::size_t size = 0;
    machine.port().faults.mangleGet = [&](host::DcbAnswer answer) {
        size = answer.size();
        return answer;
    };
    static_cast<void>(machine.look());
    ASSERT_GT(size, 136U);
    for (std::size_t at = 0; at < size; ++at) {
        for (const unsigned damage : {0x01U, 0x08U, 0x80U, 0xFFU, 0x100U}) {
            machine.port().faults.mangleGet = [&](host::DcbAnswer answer) {
                if (damage > 0xFFU) {
                    answer.resize(at);
                } else {
                    answer[at] ^= static_cast<std::byte>(damage);
                }
                return answer;
            };
            const Comparison look = machine.look();
            EXPECT_EQ(look.assessments.size(), 5U) << at << " " << damage;
            EXPECT_FALSE(std::ranges::all_of(look.assessments, isFine))
                << at << " " << damage;
        }
    }
}

TEST(DcbAssess, rails_without_a_dcb_section_are_left_alone) {
    Machine machine(DcbDriver::mlx5);
    const profile::HostSettings hostSettings;
    const inventory::Platform platform;
    const std::vector<RailTask> rails{machine.rail};
    const Comparison look =
        assess(machine.host.reader(),
               {.rails = rails, .host = hostSettings, .platform = platform});
    EXPECT_TRUE(look.assessments.empty());
    EXPECT_EQ(machine.dcb.getCalls(), 0U);
}

}  // namespace
}  // namespace fabric::resource::dcb
