// SPDX-License-Identifier: Apache-2.0
#include "resource/ecn/ecn.hpp"

#include "resource/rail_fixture.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace fabric::resource::ecn {
namespace {

using profile::Origin;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kReaction = "ecn/ens1/reaction-point";
constexpr std::string_view kNotification = "ecn/ens1/notification-point";
constexpr std::string_view kDscp = "ecn/ens1/cnp-dscp";

std::set<Priority> priorities(std::initializer_list<std::uint8_t> numbers) {
    std::set<Priority> made;
    for (const std::uint8_t number : numbers) {
        made.insert(Priority::of(number));
    }
    return made;
}

class Ecn : public RailFixture {
  protected:
    // Wants priority 3 at both points, derived from the lossless priority.
    RailTask& addRail(std::string name, std::string driver = "mlx5_core") {
        rails.push_back(physicalRail(std::move(name), std::move(driver)));
        host.links.add(kPort, "ens1");
        profile::EcnSettings wanted;
        wanted.reactionPoint = {priorities({3}), Origin::derived};
        wanted.notificationPoint = {priorities({3}), Origin::derived};
        rails.back().settings.ecn = wanted;
        return rails.back();
    }

    profile::EcnSettings& wanted() { return *rails.back().settings.ecn; }

    // The tree of the OFED driver with one text for each priority.
    void addSwitches(const std::string& interface,
                     std::string_view point,
                     const std::vector<std::string>& texts) {
        const std::string folder =
            "/sys/class/net/" + interface + "/ecn/" + std::string(point) + "/enable/";
        for (std::size_t priority = 0; priority < texts.size(); ++priority) {
            host.files.addFile(folder + std::to_string(priority), texts[priority]);
        }
    }

    void addOfed(const std::string& interface, const std::vector<std::string>& texts) {
        addSwitches(interface, "roce_rp", texts);
        addSwitches(interface, "roce_np", texts);
    }

    Comparison assessed() { return assess(host.reader(), scope()); }

    const std::vector<std::string> kOnlyThree{
        "0\n", "0\n", "0\n", "1\n", "0\n", "0\n", "0\n", "0\n"};
    const std::vector<std::string> kAll{
        "1\n", "1\n", "1\n", "1\n", "1\n", "1\n", "1\n", "1\n"};
};

TEST_F(Ecn, exactly_the_wanted_priorities_are_in_sync_and_write_nothing) {
    addRail("ens1");
    addOfed("ens1", kOnlyThree);
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::inSync);
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::inSync);
    EXPECT_EQ(only(result, kReaction).found, Value(Value::List{3}));
    EXPECT_THAT(result.steps, IsEmpty());
    EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(Ecn, priorities_beyond_the_wanted_ones_are_a_difference) {
    addRail("ens1");
    addOfed("ens1", kAll);
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::differs);
    EXPECT_EQ(only(result, kReaction).disturbs, Disturbs::none);
    ASSERT_THAT(result.steps, SizeIs(2));
    EXPECT_THAT(result.steps[0].writes, SizeIs(7));
}

TEST_F(Ecn, only_the_priorities_that_differ_are_written) {
    addRail("ens1");
    std::vector<std::string> texts = kOnlyThree;
    texts[3] = "0\n";
    texts[5] = "1\n";
    addSwitches("ens1", "roce_rp", texts);
    addSwitches("ens1", "roce_np", kOnlyThree);

    const Comparison result = assessed();

    ASSERT_THAT(result.steps, SizeIs(1));
    const Step& step = result.steps[0];
    EXPECT_EQ(step.stage, Stage::ecn);
    EXPECT_EQ(step.disturbs, Disturbs::none);
    EXPECT_EQ(step.link, IfIndex{kPort});
    EXPECT_EQ(step.rail, "ens1");
    EXPECT_THAT(step.ids, ElementsAre(std::string(kReaction)));
    const std::string folder = "/sys/class/net/ens1/ecn/roce_rp/enable/";
    EXPECT_THAT(step.writes,
                ElementsAre(Write(AttributeWrite{folder + "3", "1"}),
                            Write(AttributeWrite{folder + "5", "0"})));
}

TEST_F(Ecn, no_priority_wanted_turns_every_one_off) {
    addRail("ens1");
    wanted().reactionPoint->value.clear();
    wanted().notificationPoint.reset();
    addOfed("ens1", kOnlyThree);
    EXPECT_THAT(writesOf(assessed()),
                ElementsAre(Write(
                    AttributeWrite{"/sys/class/net/ens1/ecn/roce_rp/enable/3", "0"})));
}

TEST_F(Ecn, D26_empty_enable_file_is_unreadable_and_not_off) {
    addRail("ens1");
    std::vector<std::string> texts = kOnlyThree;
    texts[5] = "";
    addSwitches("ens1", "roce_rp", texts);
    addSwitches("ens1", "roce_np", kOnlyThree);

    const Comparison result = assessed();

    EXPECT_EQ(only(result, kReaction).verdict, Verdict::unreadable);
    EXPECT_TRUE(only(result, kReaction).found.isNull());
    EXPECT_THAT(only(result, kReaction).reason, HasSubstr("roce_rp/enable/5"));
    EXPECT_THAT(only(result, kReaction).reason, HasSubstr("empty"));
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::inSync);
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Ecn, D26_blank_line_or_text_is_unreadable_too) {
    for (const char* const text : {"\n", "on\n", "-1\n", "0x\n", "99999999999\n"}) {
        rails.clear();
        addRail("ens1");
        std::vector<std::string> texts = kOnlyThree;
        texts[0] = text;
        addOfed("ens1", texts);
        EXPECT_EQ(only(assessed(), kReaction).verdict, Verdict::unreadable) << text;
    }
}

TEST_F(Ecn, D26_missing_file_among_the_eight_is_unreadable) {
    addRail("ens1");
    addOfed("ens1", kOnlyThree);
    host.files.erase("/sys/class/net/ens1/ecn/roce_rp/enable/7");
    EXPECT_EQ(only(assessed(), kReaction).verdict, Verdict::unreadable);
}

TEST_F(Ecn, file_without_permission_names_the_capability) {
    addRail("ens1");
    addOfed("ens1", kOnlyThree);
    host.files.failRead("/sys/class/net/ens1/ecn/roce_rp/enable/0", EACCES);
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::unreadable);
    EXPECT_THAT(only(result, kReaction).fix, HasSubstr("CAP_DAC_OVERRIDE"));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Ecn, D27_absent_directory_derived_is_not_applicable_with_a_finding) {
    addRail("ens1");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::notApplicable);
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::notApplicable);
    ASSERT_THAT(result.findings, SizeIs(1));
    EXPECT_EQ(result.findings[0].id, "ecn.uncontrollable");
    EXPECT_EQ(result.findings[0].severity, Severity::warn);
    EXPECT_THAT(result.findings[0].fix, HasSubstr("ROCE_CC_PRIO_MASK_P1"));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Ecn, D27_absent_directory_explicit_is_unsupported) {
    addRail("ens1");
    wanted().reactionPoint->origin = Origin::explicitly;
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::unsupported);
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::notApplicable);
}

TEST_F(Ecn, D27_when_uncontrollable_fail_makes_the_derived_case_unsupported) {
    addRail("ens1");
    wanted().whenUncontrollable = profile::WhenUncontrollable::fail;
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::unsupported);
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::unsupported);
}

TEST_F(Ecn, D27_running_stored_and_unknown_are_told_apart) {
    addRail("ens1");
    const std::string counters = "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/";
    EXPECT_EQ(only(assessed(), kReaction).found,
              Value(Value::Object{{"running", "unknown"}, {"stored", "unknown"}}));
    host.files.addFile(counters + "np_ecn_marked_roce_packets", "0\n");
    host.files.addFile(counters + "np_cnp_sent", "0\n");
    host.files.addFile(counters + "rp_cnp_handled", "0\n");
    EXPECT_EQ(*only(assessed(), kReaction).found.member("running"), Value("not seen"));
    host.files.addFile(counters + "np_cnp_sent", "17\n");
    const Comparison result = assessed();
    EXPECT_EQ(*only(result, kReaction).found.member("running"), Value("seen"));
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::notApplicable);
    EXPECT_THAT(result.findings[0].evidence, HasSubstr("np_cnp_sent 17"));
    EXPECT_THAT(result.findings[0].evidence, HasSubstr("stored: unknown"));
}

TEST_F(Ecn, D27_one_point_without_its_directory_does_not_hide_the_other) {
    addRail("ens1");
    addSwitches("ens1", "roce_rp", kOnlyThree);
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::inSync);
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::notApplicable);
}

TEST_F(Ecn, refused_directory_is_unreadable_and_not_absent) {
    addRail("ens1");
    host.files.failRead("/sys/class/net/ens1/ecn", EACCES);
    host.files.failRead("/sys/class/net/ens1/ecn/roce_rp/enable", EACCES);
    host.files.failRead("/sys/class/net/ens1/ecn/roce_rp/enable/0", EACCES);
    EXPECT_EQ(only(assessed(), kReaction).verdict, Verdict::unreadable);
}

TEST_F(Ecn, cnp_dscp_is_compared_and_written_in_sysfs) {
    addRail("ens1");
    wanted().cnpDscp = Dscp::of(48);
    addOfed("ens1", kOnlyThree);
    const std::string path = "/sys/class/net/ens1/ecn/roce_np/cnp_dscp";
    host.files.addFile(path, "48\n");
    EXPECT_EQ(only(assessed(), kDscp).verdict, Verdict::inSync);
    host.files.addFile(path, "0\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kDscp).verdict, Verdict::differs);
    EXPECT_EQ(only(result, kDscp).found, Value(0));
    EXPECT_THAT(writesOf(result), ElementsAre(Write(AttributeWrite{path, "48"})));
}

TEST_F(Ecn, D26_empty_cnp_dscp_is_unreadable) {
    addRail("ens1");
    wanted().cnpDscp = Dscp::of(0);
    addOfed("ens1", kOnlyThree);
    host.files.addFile("/sys/class/net/ens1/ecn/roce_np/cnp_dscp", "");
    EXPECT_EQ(only(assessed(), kDscp).verdict, Verdict::unreadable);
}

TEST_F(Ecn, inbox_mlx5_reads_and_writes_the_cnp_dscp_in_debugfs) {
    addRail("ens1");
    wanted().cnpDscp = Dscp::of(48);
    const std::string path =
        "/sys/kernel/debug/mlx5/0000:1a:00.0/cc_params/np_cnp_dscp";
    host.files.addFile(path, "26\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kDscp).found, Value(26));
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::notApplicable);
    EXPECT_THAT(writesOf(result), ElementsAre(Write(AttributeWrite{path, "48"})));
}

TEST_F(Ecn, inbox_mlx5_without_cc_params_cannot_set_the_cnp_dscp) {
    addRail("ens1");
    wanted().cnpDscp = Dscp::of(48);
    host.files.addDirectory("/sys/kernel/debug/mlx5/0000:1a:00.0");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kDscp).verdict, Verdict::unsupported);
    EXPECT_THAT(only(result, kDscp).reason, HasSubstr("mlx5_ib"));
}

TEST_F(Ecn, debugfs_that_is_not_mounted_is_not_a_missing_control) {
    addRail("ens1");
    wanted().cnpDscp = Dscp::of(48);
    host.files.addDirectory("/sys/kernel/debug");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kDscp).verdict, Verdict::unreadable);
    EXPECT_THAT(only(result, kDscp).fix, HasSubstr("mount -t debugfs"));
}

TEST_F(Ecn, debugfs_without_root_names_the_capability) {
    addRail("ens1");
    wanted().cnpDscp = Dscp::of(48);
    const std::string path =
        "/sys/kernel/debug/mlx5/0000:1a:00.0/cc_params/np_cnp_dscp";
    host.files.failRead(path, EACCES);
    EXPECT_EQ(only(assessed(), kDscp).verdict, Verdict::unreadable);
    EXPECT_THAT(only(assessed(), kDscp).fix, HasSubstr("CAP_DAC_OVERRIDE"));
}

TEST_F(Ecn, debugfs_under_lockdown_names_lockdown) {
    addRail("ens1");
    wanted().cnpDscp = Dscp::of(48);
    const std::string path =
        "/sys/kernel/debug/mlx5/0000:1a:00.0/cc_params/np_cnp_dscp";
    host.files.failRead(path, EPERM);
    EXPECT_THAT(only(assessed(), kDscp).fix, HasSubstr("CAP_SYS_ADMIN"));
    platform.lockdown = inventory::Lockdown::integrity;
    EXPECT_EQ(only(assessed(), kDscp).verdict, Verdict::unreadable);
    EXPECT_THAT(only(assessed(), kDscp).fix, HasSubstr("lockdown"));
}

TEST_F(Ecn, cnp_dscp_of_a_driver_without_it_is_unsupported) {
    addRail("ens1", "ionic");
    wanted().cnpDscp = Dscp::of(48);
    EXPECT_EQ(only(assessed(), kDscp).verdict, Verdict::unsupported);
    EXPECT_THAT(only(assessed(), kDscp).fix, HasSubstr("nicctl"));
}

class BroadcomEcn : public Ecn {
  protected:
    const std::string kDebugfs = "/sys/kernel/debug/bnxt_re/0000:1a:00.0/cc_config/";
    const std::string kGroup = "/sys/kernel/config/bnxt_re/mlx5_0";
    const std::string kConfigfs = kGroup + "/ports/1/cc/";

    void addDebugfs(const char* enable, const char* marking) {
        host.files.addFile(kDebugfs + "enable_cc", enable);
        host.files.addFile(kDebugfs + "tos_ecn", marking);
        host.files.addFile(kDebugfs + "alt_vlan_dscp", "48\n");
    }

    void addConfigfs(const char* enable, const char* marking) {
        host.files.addFile(kConfigfs + "ecn_enable", enable);
        host.files.addFile(kConfigfs + "ecn_marking", marking);
        host.files.addFile(kConfigfs + "cnp_dscp", "0x30\n");
        host.files.addFile(kConfigfs + "apply", "0x0\n");
    }
};

TEST_F(BroadcomEcn, one_switch_of_the_port_counts_for_the_named_priority) {
    addRail("ens1", "bnxt_en");
    wanted().cnpDscp = Dscp::of(48);
    addDebugfs("1\n", "1\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::inSync);
    EXPECT_EQ(only(result, kReaction).found, Value("on for all RoCE traffic"));
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::inSync);
    EXPECT_EQ(only(result, kDscp).verdict, Verdict::inSync);
    EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(BroadcomEcn, packets_that_may_not_be_marked_leave_the_reaction_point_off) {
    addRail("ens1", "bnxt_en");
    addDebugfs("1\n", "0\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::differs);
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::inSync);
    EXPECT_THAT(writesOf(result),
                ElementsAre(Write(AttributeWrite{kDebugfs + "tos_ecn", "1"})));
}

TEST_F(BroadcomEcn, no_priority_wanted_turns_the_port_off) {
    addRail("ens1", "bnxt_en");
    wanted().reactionPoint->value.clear();
    wanted().notificationPoint.reset();
    addDebugfs("1\n", "1\n");
    EXPECT_THAT(writesOf(assessed()),
                ElementsAre(Write(AttributeWrite{kDebugfs + "enable_cc", "0"})));
}

TEST_F(BroadcomEcn, points_that_want_one_switch_both_ways_are_unsupported) {
    addRail("ens1", "bnxt_en");
    wanted().notificationPoint->value.clear();
    addDebugfs("1\n", "1\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::unsupported);
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::unsupported);
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(BroadcomEcn, firmware_that_does_not_answer_is_unreadable) {
    addRail("ens1", "bnxt_en");
    addDebugfs("1\n", "1\n");
    host.files.failRead(kDebugfs + "enable_cc", EIO);
    EXPECT_EQ(only(assessed(), kReaction).verdict, Verdict::unreadable);
}

TEST_F(BroadcomEcn, configfs_values_are_written_and_then_applied) {
    addRail("ens1", "bnxt_en");
    wanted().cnpDscp = Dscp::of(48);
    host.files.addDirectory("/sys/kernel/debug/bnxt_re");
    addConfigfs("0\n", "0x1\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).found, Value("off"));
    EXPECT_EQ(only(result, kDscp).verdict, Verdict::inSync);
    ASSERT_THAT(result.steps, SizeIs(2));
    EXPECT_THAT(result.steps[0].writes,
                ElementsAre(Write(AttributeWrite{kConfigfs + "ecn_enable", "1"}),
                            Write(AttributeWrite{kConfigfs + "apply", "1"})));
}

TEST_F(BroadcomEcn, configfs_group_is_made_before_anything_can_be_read) {
    addRail("ens1", "bnxt_en");
    wanted().reactionPoint.reset();
    host.files.addDirectory("/sys/kernel/debug/bnxt_re");
    host.files.addDirectory("/sys/kernel/config/bnxt_re");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::differs);
    EXPECT_TRUE(only(result, kNotification).found.isNull());
    EXPECT_THAT(only(result, kNotification).reason, HasSubstr(kGroup));
    EXPECT_THAT(writesOf(result),
                ElementsAre(Write(DirectoryCreate{kGroup}),
                            Write(AttributeWrite{kConfigfs + "ecn_enable", "1"}),
                            Write(AttributeWrite{kConfigfs + "apply", "1"})));
}

TEST_F(BroadcomEcn, group_of_another_function_is_left_alone) {
    addRail("ens1", "bnxt_en").rail.rdma->pci = "0000:1a:00.2";
    host.files.addDirectory("/sys/kernel/debug/bnxt_re");
    addConfigfs("1\n", "1\n");
    EXPECT_EQ(only(assessed(), kReaction).verdict, Verdict::notApplicable);
}

TEST_F(BroadcomEcn, D27_older_kernel_without_any_control_is_uncontrollable) {
    addRail("ens1", "bnxt_en");
    host.files.addDirectory("/sys/kernel/debug/bnxt_en");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::notApplicable);
    ASSERT_THAT(result.findings, SizeIs(1));
    EXPECT_THAT(result.findings[0].fix, HasSubstr("niccli"));
}

TEST_F(BroadcomEcn, unmounted_debugfs_leaves_the_switch_unknown) {
    addRail("ens1", "bnxt_en");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::unreadable);
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::unreadable);
}

TEST_F(Ecn, refused_rail_gets_no_step_and_its_reason) {
    addRail("ens1").refusal = "carries the default route";
    wanted().cnpDscp = Dscp::of(48);
    addOfed("ens1", kAll);
    const Comparison result = assessed();
    for (const Assessment& assessment : result.assessments) {
        EXPECT_EQ(assessment.verdict, Verdict::failed);
        EXPECT_EQ(assessment.reason, "carries the default route");
    }
    EXPECT_THAT(result.assessments, SizeIs(3));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Ecn, failing_rail_does_not_hide_the_next) {
    addRail("ens0").rail.ports = {port("ens0", "mlx5_core", 3)};
    host.links.add(3, "ens0");
    addOfed("ens0", {"", "", "", "", "", "", "", ""});
    addRail("ens1");
    addOfed("ens1", kAll);
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "ecn/ens0/reaction-point").verdict, Verdict::unreadable);
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::differs);
    EXPECT_THAT(result.steps, SizeIs(2));
}

TEST_F(Ecn, section_that_is_absent_is_not_looked_at) {
    addRail("ens1").settings.ecn.reset();
    EXPECT_THAT(assessed().assessments, IsEmpty());
}

TEST_F(Ecn, D21_rail_without_a_port_is_said_and_not_touched) {
    RailTask& task = addRail("eth0");
    task.rail.ports.clear();
    task.rail.resolution = "VF of 0000:1a:00.0, whose port has no net device";
    const Comparison result = assessed();
    const Assessment& reaction = only(result, "ecn/eth0/reaction-point");
    EXPECT_EQ(reaction.verdict, Verdict::notApplicable);
    EXPECT_THAT(reaction.reason, HasSubstr("VF of 0000:1a:00.0"));
    EXPECT_EQ(result.findings.at(0).id, "ecn.uncontrollable");
    wanted().reactionPoint->origin = Origin::explicitly;
    wanted().cnpDscp = Dscp::of(48);
    EXPECT_EQ(only(assessed(), "ecn/eth0/reaction-point").verdict,
              Verdict::unsupported);
    EXPECT_EQ(only(assessed(), "ecn/eth0/cnp-dscp").verdict, Verdict::unsupported);
}

TEST_F(Ecn, D21_virtual_functions_of_one_port_are_one_set_of_writes) {
    addOfed("ens1", kAll);
    for (const char* const name : {"v0", "v1"}) {
        RailTask& task = addRail(name);
        task.rail.kind = inventory::FunctionKind::virtualFunction;
        task.rail.ports = {port("ens1")};
        task.rail.resolution = "VF of ens1";
        wanted().notificationPoint.reset();
    }
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::differs);
    EXPECT_THAT(only(result, kReaction).explanation, HasSubstr("VF of ens1"));
    EXPECT_THAT(result.steps, SizeIs(1));
}

TEST_F(Ecn, D21_rails_that_want_different_values_of_one_port_both_get_none) {
    addOfed("ens1", kAll);
    addRail("v0").rail.ports = {port("ens1")};
    addRail("v1").rail.ports = {port("ens1")};
    wanted().reactionPoint->value = priorities({4});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::failed);
    EXPECT_THAT(only(result, kReaction).reason, HasSubstr("v0 and v1"));
    EXPECT_EQ(only(result, kNotification).verdict, Verdict::differs);
    EXPECT_THAT(result.steps, SizeIs(1));
}

TEST_F(Ecn, D18_a_port_that_is_gone_is_unreadable_and_not_without_control) {
    addRail("ens1");
    addOfed("ens1", kOnlyThree);
    host.links.remove({kPort});
    EXPECT_EQ(only(assessed(), kReaction).verdict, Verdict::unreadable);
}

TEST_F(Ecn, D18_a_step_carries_the_name_that_its_paths_were_made_from) {
    addRail("ens1");
    addOfed("ens1", kAll);
    const Comparison result = assessed();
    ASSERT_FALSE(result.steps.empty());
    EXPECT_EQ(result.steps.front().linkName, "ens1");
}

TEST_F(Ecn, D21_refusal_of_one_rail_protects_the_port_that_it_shares) {
    addOfed("ens1", kAll);
    addRail("v0").rail.ports = {port("ens1")};
    addRail("v1").rail.ports = {port("ens1")};
    rails.back().refusal = "carries the default route";
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::failed);
    EXPECT_EQ(only(result, kReaction).reason, "carries the default route");
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Ecn, both_ports_of_a_lag_are_compared) {
    RailTask& task = addRail("bond0");
    task.rail.ports = {port("ens1"), port("ens2", "mlx5_core", 3)};
    host.links.add(3, "ens2");
    addOfed("ens1", kOnlyThree);
    addOfed("ens2", kAll);
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::inSync);
    EXPECT_EQ(only(result, "ecn/ens2/reaction-point").verdict, Verdict::differs);
    EXPECT_EQ(result.steps.at(0).link, IfIndex{3});
}

TEST_F(Ecn, written_steps_bring_the_port_in_sync) {
    addRail("ens1");
    addOfed("ens1", kAll);
    for (const Write& write : writesOf(assessed())) {
        const auto& attribute = std::get<AttributeWrite>(write);
        ASSERT_TRUE(host.files.writeAttribute(attribute.path, attribute.text));
    }
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kReaction).verdict, Verdict::inSync);
    EXPECT_THAT(result.steps, IsEmpty());
}

}  // namespace
}  // namespace fabric::resource::ecn
