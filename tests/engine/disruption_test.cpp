// SPDX-License-Identifier: Apache-2.0
#include "engine/disruption.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fabric::engine {
namespace {

using resource::Disturbs;
using resource::Stage;
using resource::Step;
using resource::Verdict;

// Two rails with a quiet step each; the PFC of the first bounces its link.
resource::Comparison twoRails() {
    resource::Comparison plan;
    const auto add = [&](const std::string& rail, Stage stage, Disturbs disturbs) {
        const std::string id = rail + "/" + std::to_string(static_cast<int>(stage));
        resource::Assessment assessment;
        assessment.id = id;
        assessment.rail = rail;
        assessment.verdict = Verdict::differs;
        plan.assessments.push_back(assessment);
        plan.steps.push_back({.stage = stage,
                              .rail = rail,
                              .disturbs = disturbs,
                              .summary = "step of " + rail,
                              .ids = {id}});
    };
    add("r1", Stage::ecn, Disturbs::none);
    add("r1", Stage::pfc, Disturbs::link);
    add("r2", Stage::ecn, Disturbs::none);
    return plan;
}

TEST(Disruption, without_a_limit_every_step_stays) {
    auto plan = twoRails();
    EXPECT_TRUE(decideSteps(plan, {}).byId.empty());
    EXPECT_EQ(plan.steps.size(), 3U);
    auto limited = twoRails();
    EXPECT_TRUE(decideSteps(limited, {.maxDisruption = Disturbs::link}).byId.empty());
    EXPECT_EQ(limited.steps.size(), 3U);
}

TEST(Disruption, a_rail_goes_as_a_whole_and_says_which_step_it_was) {
    auto plan = twoRails();
    const HeldBack held = decideSteps(plan, {.maxDisruption = Disturbs::traffic});
    ASSERT_EQ(plan.steps.size(), 1U);
    EXPECT_EQ(plan.steps.front().rail, "r2");
    EXPECT_EQ(held.byId.size(), 2U);
    for (const auto& assessment : plan.assessments) {
        const bool refused = assessment.rail == "r1";
        EXPECT_EQ(assessment.verdict, refused ? Verdict::failed : Verdict::differs);
        EXPECT_EQ(assessment.reason,
                  refused ? "not attempted: --max-disruption traffic: 'step of r1' "
                            "would disturb the link"
                          : "");
        EXPECT_EQ(assessment.fix,
                  refused ? "when the link may be disturbed, run apply with "
                            "--max-disruption link"
                          : "");
    }
}

TEST(Disruption, what_a_later_look_finds_as_wanted_stays_so) {
    auto plan = twoRails();
    const HeldBack held = decideSteps(plan, {.maxDisruption = Disturbs::none});
    auto later = twoRails().assessments;
    later.front().verdict = Verdict::inSync;
    markHeldBack(held, later);
    EXPECT_EQ(later[0].verdict, Verdict::inSync);
    EXPECT_EQ(later[1].verdict, Verdict::failed);
    EXPECT_EQ(later[2].verdict, Verdict::differs);
}

TEST(Disruption, an_act_of_every_apply_that_is_held_back_is_no_success) {
    auto plan = twoRails();
    plan.assessments.front().verdict = Verdict::inSync;
    plan.assessments.front().onEveryApply = true;
    static_cast<void>(decideSteps(plan, {.maxDisruption = Disturbs::none}));
    EXPECT_EQ(plan.assessments.front().verdict, Verdict::failed);
}

}  // namespace
}  // namespace fabric::engine
