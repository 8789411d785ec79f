// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/dscp_plan.hpp"

#include "harness.hpp"
#include "resource/dcb/answer.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::dcb {
namespace {

constexpr IfIndex kLink{7};

std::vector<std::string> texts(const DscpPlan& plan) {
    std::vector<std::string> result;
    for (const DcbWrite& write : plan.writes) {
        result.push_back(describe(write.request));
    }
    return result;
}

DscpMap only(int dscp, int priority) {
    return {{*Dscp::from(dscp), *Priority::from(priority)}};
}

DscpPlan planFor(std::string_view driver, DscpMap target, const DscpEntries& listed) {
    return planDscp(
        std::move(target), listed, {Dscp::of(26)}, driverFacts(driver), kLink);
}

TEST(DcbDscpTarget, other_dscps_follow_the_rule) {
    const DriverFacts& mlx5 = driverFacts("mlx5_core");
    profile::DcbSettings wanted = losslessSettings();
    EXPECT_EQ(targetMap(wanted, mlx5, {}).size(), 64U);
    EXPECT_EQ(targetMap(wanted, mlx5, {}).at(Dscp::of(27)), Priority::of(3));
    wanted.otherDscp.value = profile::OtherDscp::exclusive;
    EXPECT_EQ(targetMap(wanted, mlx5, {}).at(Dscp::of(27)), Priority::of(0));
    EXPECT_EQ(targetMap(wanted, mlx5, {}).at(Dscp::of(26)), Priority::of(3));
    EXPECT_EQ(targetMap(wanted, mlx5, {}).at(Dscp::of(46)), Priority::of(5));
    wanted.otherDscp.value = profile::OtherDscp::zero;
    EXPECT_EQ(targetMap(wanted, mlx5, {}).at(Dscp::of(46)), Priority::of(0));
    wanted.otherDscp.value = profile::OtherDscp::keep;
    EXPECT_EQ(targetMap(wanted, mlx5, {}), only(26, 3));
}

TEST(DcbDscpTarget, ice_keeps_what_is_not_mapped_and_owns_what_is) {
    const DscpEntries listed{{Dscp::of(46), {1}}};
    const DscpMap target = targetMap(losslessSettings(), driverFacts("ice"), listed);
    EXPECT_EQ(
        target,
        (DscpMap{{Dscp::of(26), Priority::of(3)}, {Dscp::of(46), Priority::of(5)}}));
}

TEST(DcbDscpPlan, D11_mlx5_replaces_and_never_deletes_first) {
    const auto plan = planFor("mlx5_core", only(26, 3), {{Dscp::of(26), {0}}});
    EXPECT_EQ(texts(plan), std::vector<std::string>{"set DSCP 26 -> priority 3"});
    EXPECT_FALSE(plan.flipsToPcp);
    EXPECT_FALSE(plan.flipsToDscp);
}

TEST(DcbDscpPlan, D22_bnxt_deletes_before_it_adds) {
    const auto plan = planFor("bnxt_en", only(26, 3), {{Dscp::of(26), {0}}});
    EXPECT_EQ(texts(plan),
              (std::vector<std::string>{"delete DSCP 26 -> priority 0",
                                        "set DSCP 26 -> priority 3"}));
}

TEST(DcbDscpPlan, D22_ice_deletes_before_it_adds_and_never_runs_empty) {
    const auto plan = planFor("ice", only(26, 3), {{Dscp::of(26), {0}}});
    EXPECT_EQ(texts(plan),
              (std::vector<std::string>{"set DSCP 0 -> priority 0",
                                        "delete DSCP 26 -> priority 0",
                                        "set DSCP 26 -> priority 3",
                                        "delete DSCP 0 -> priority 0"}));
    EXPECT_FALSE(plan.flipsToPcp);
    const auto among =
        planFor("ice", only(26, 3), {{Dscp::of(26), {0}}, {Dscp::of(46), {5}}});
    EXPECT_EQ(among.writes.size(), 2U);
}

TEST(DcbDscpPlan, D12_two_priorities_of_one_dscp_are_cleared_and_set_anew) {
    const auto plan = planFor("bnxt_en", only(26, 3), {{Dscp::of(26), {3, 5}}});
    EXPECT_EQ(plan.different, std::set<Dscp>{Dscp::of(26)});
    EXPECT_EQ(texts(plan),
              (std::vector<std::string>{"delete DSCP 26 -> priority 3",
                                        "delete DSCP 26 -> priority 5",
                                        "set DSCP 26 -> priority 3"}));
}

TEST(DcbDscpPlan, equal_entries_are_not_written) {
    const auto plan = planFor("mlx5_core", only(26, 3), {{Dscp::of(26), {3}}});
    EXPECT_TRUE(plan.writes.empty());
    EXPECT_TRUE(plan.different.empty());
}

TEST(DcbDscpPlan, D10_the_first_entry_is_seen_to_flip_trust) {
    EXPECT_TRUE(planFor("mlx5_core", only(26, 3), {}).flipsToDscp);
    EXPECT_FALSE(planFor("mlx5_core", only(26, 3), {{Dscp::of(1), {0}}}).flipsToDscp);
}

TEST(DcbDscpPlan, entries_that_the_profile_names_come_first) {
    const DscpMap target = targetMap(losslessSettings(), driverFacts("mlx5_core"), {});
    const auto plan = planFor("mlx5_core", target, {});
    EXPECT_EQ(texts(plan).front(), "set DSCP 26 -> priority 3");
    EXPECT_EQ(plan.writes.size(), 64U);
}

TEST(DcbDscpPlan, D08_drivers_that_list_first_get_their_refused_entry_taken_back) {
    const auto bnxt = planFor("bnxt_en", only(26, 3), {});
    ASSERT_TRUE(bnxt.writes.front().ifRefused.has_value());
    EXPECT_EQ(describe(*bnxt.writes.front().ifRefused), "delete DSCP 26 -> priority 3");
    EXPECT_FALSE(
        planFor("mlx5_core", only(26, 3), {}).writes.front().ifRefused.has_value());
}

}  // namespace
}  // namespace fabric::resource::dcb
