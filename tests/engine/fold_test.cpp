// SPDX-License-Identifier: Apache-2.0
#include "engine/fold.hpp"

#include <gtest/gtest.h>

namespace fabric::engine {
namespace {

using resource::Assessment;
using resource::Step;
using resource::Verdict;

Assessment pfc(Verdict verdict, Value found, std::string reason = {}) {
    return {.id = "dcb/rail0/pfc",
            .kind = resource::Kind::dcb,
            .device = "rail0",
            .property = "pfc",
            .wanted = Value::List{3},
            .found = std::move(found),
            .verdict = verdict,
            .reason = std::move(reason)};
}

const Value kNone = Value::List{};
const Value kThree = Value::List{3};

ResourceReport applied(Assessment before, Assessment after, StepResult result) {
    const std::vector<Step> steps{{.ids = {"dcb/rail0/pfc"}}};
    const std::vector<StepResult> results{std::move(result)};
    return foldApplied({std::move(before)}, {std::move(after)}, steps, results).front();
}

StepResult accepted() {
    return {.attempted = true, .accepted = true};
}

StepResult refused(int sysErrno) {
    return {.attempted = true, .error = systemError("set PFC", "rail0", sysErrno)};
}

TEST(FoldApplied, a_difference_that_the_second_look_no_longer_finds_is_changed) {
    const auto report =
        applied(pfc(Verdict::differs, kNone), pfc(Verdict::inSync, kThree), accepted());
    EXPECT_EQ(report.outcome, Outcome::changed);
    EXPECT_EQ(report.after, kThree);
}

TEST(FoldApplied, D14_accepted_without_effect_is_failed) {
    const auto report =
        applied(pfc(Verdict::differs, kNone), pfc(Verdict::differs, kNone), accepted());
    EXPECT_EQ(report.outcome, Outcome::failed);
    EXPECT_NE(report.assessment.reason.find("accepted, but the value is still []"),
              std::string::npos);
}

TEST(FoldApplied,
     D13_a_failed_message_that_moved_the_value_is_failed_and_says_what_moved) {
    const auto report = applied(
        pfc(Verdict::differs, kNone), pfc(Verdict::inSync, kThree), refused(ENOMEM));
    EXPECT_EQ(report.outcome, Outcome::failed);
    EXPECT_NE(report.assessment.reason.find("Cannot allocate memory"),
              std::string::npos);
    EXPECT_NE(report.assessment.reason.find("moved from [] to [3]"), std::string::npos);
}

TEST(FoldApplied, what_cannot_be_read_back_is_never_success) {
    const auto unreadable = pfc(Verdict::unreadable, {}, "the attribute is missing");
    EXPECT_EQ(applied(pfc(Verdict::differs, kNone), unreadable, accepted()).outcome,
              Outcome::unreadable);
    EXPECT_EQ(applied(pfc(Verdict::differs, kNone), unreadable, refused(EIO)).outcome,
              Outcome::failed);
}

TEST(FoldApplied, not_attempted_is_failed_with_the_reason) {
    const StepResult result{.notAttempted = "not attempted: SIGTERM"};
    const auto report =
        applied(pfc(Verdict::differs, kNone), pfc(Verdict::differs, kNone), result);
    EXPECT_EQ(report.outcome, Outcome::failed);
    EXPECT_EQ(report.assessment.reason, "not attempted: SIGTERM");
}

TEST(FoldApplied, a_difference_without_a_step_is_failed_unless_it_is_beyond_apply) {
    auto before = pfc(Verdict::differs, kNone, "no step");
    auto reports = foldApplied({before}, {before}, {}, {});
    EXPECT_EQ(reports.front().outcome, Outcome::failed);
    EXPECT_TRUE(reports.front().after.isNull());
    before.beyondApply = true;
    EXPECT_EQ(foldApplied({before}, {before}, {}, {}).front().outcome,
              Outcome::drifted);
}

TEST(FoldApplied, what_drifts_while_the_run_lasts_is_not_in_sync) {
    const auto reports = foldApplied({pfc(Verdict::inSync, kThree)},
                                     {pfc(Verdict::differs, kNone, "gone again")},
                                     {},
                                     {});
    EXPECT_EQ(reports.front().outcome, Outcome::failed);
}

TEST(FoldApplied, a_property_that_vanished_is_unreadable) {
    const auto reports = foldApplied({pfc(Verdict::inSync, kThree)}, {}, {}, {});
    EXPECT_EQ(reports.front().outcome, Outcome::unreadable);
}

TEST(FoldObserved, maps_every_verdict) {
    const std::vector<std::pair<Verdict, Outcome>> expected{
        {Verdict::inSync, Outcome::inSync},
        {Verdict::differs, Outcome::drifted},
        {Verdict::failed, Outcome::failed},
        {Verdict::unsupported, Outcome::unsupported},
        {Verdict::unreadable, Outcome::unreadable},
        {Verdict::skipped, Outcome::skipped},
        {Verdict::notApplicable, Outcome::notApplicable}};
    for (const auto& [verdict, outcome] : expected) {
        EXPECT_EQ(foldObserved({pfc(verdict, kNone)}).front().outcome, outcome);
    }
}

TEST(FoldApplied, D07_a_property_that_vanishes_with_the_write_is_unreadable) {
    const auto report = applied(pfc(Verdict::differs, kNone),
                                pfc(Verdict::notApplicable, {}, "no such control"),
                                accepted());
    EXPECT_EQ(report.outcome, Outcome::unreadable);
    EXPECT_NE(report.assessment.reason.find("no such control"), std::string::npos);
    const std::vector<Assessment> was{pfc(Verdict::inSync, kThree)};
    const std::vector<Assessment> gone{pfc(Verdict::notApplicable, {})};
    EXPECT_EQ(foldApplied(was, gone, {}, {}).front().outcome, Outcome::unreadable);
    EXPECT_EQ(foldApplied(gone, gone, {}, {}).front().outcome, Outcome::notApplicable);
}

TEST(FoldApplied, what_is_gone_after_a_refused_write_is_failed_with_the_refusal) {
    const std::vector<Assessment> before{pfc(Verdict::differs, kNone)};
    const std::vector<Step> steps{{.ids = {"dcb/rail0/pfc"}}};
    const std::vector<StepResult> results{refused(ENODEV)};
    const auto reports = foldApplied(before, {}, steps, results);
    EXPECT_EQ(reports.front().outcome, Outcome::failed);
    EXPECT_NE(reports.front().assessment.reason.find("gone now"), std::string::npos);
}

TEST(FoldApplied, A16_an_acs_bit_that_only_control_showed_is_not_applicable_when_gone) {
    Assessment before = pfc(Verdict::differs, "0x0004");
    before.kind = resource::Kind::acs;
    Assessment after = pfc(Verdict::notApplicable, "0x0000");
    after.kind = resource::Kind::acs;
    EXPECT_EQ(applied(before, after, accepted()).outcome, Outcome::notApplicable);
}

TEST(FoldApplied, what_only_the_second_look_shows_is_told) {
    const std::vector<Assessment> before{pfc(Verdict::inSync, kThree)};
    Assessment appeared = pfc(Verdict::differs, kNone);
    appeared.id = "dcb/rail9/pfc";
    const auto reports = foldApplied(before, {before.front(), appeared}, {}, {});
    ASSERT_EQ(reports.size(), 2U);
    EXPECT_EQ(reports[1].assessment.id, "dcb/rail9/pfc");
    EXPECT_EQ(reports[1].outcome, Outcome::failed);
}

TEST(FoldApplied, what_was_to_go_and_is_not_listed_any_more_is_changed) {
    Assessment before = pfc(Verdict::differs, kThree);
    before.goneIsAsWanted = true;
    const std::vector<Step> steps{{.ids = {"dcb/rail0/pfc"}}};
    const std::vector<StepResult> done{accepted()};
    EXPECT_EQ(foldApplied({before}, {}, steps, done).front().outcome, Outcome::changed);
    EXPECT_EQ(foldApplied({before}, {}, {}, {}).front().outcome, Outcome::inSync)
        << "gone by itself";
    before.goneIsAsWanted = false;
    EXPECT_EQ(foldApplied({before}, {}, steps, done).front().outcome,
              Outcome::unreadable);
}

TEST(FoldApplied, an_act_of_every_apply_is_changed_once_it_was_done) {
    Assessment before = pfc(Verdict::inSync, kThree);
    before.onEveryApply = true;
    EXPECT_EQ(applied(before, before, accepted()).outcome, Outcome::changed);
    EXPECT_EQ(applied(before, before, refused(EPERM)).outcome, Outcome::failed);
    EXPECT_EQ(foldApplied({before}, {before}, {}, {}).front().outcome, Outcome::inSync);
}

// flush: always, when the run ended before its flush: nothing differs, and yet it is no
// success.
TEST(FoldApplied, an_act_of_every_apply_that_was_not_attempted_is_failed) {
    Assessment before = pfc(Verdict::inSync, kThree);
    before.onEveryApply = true;
    const StepResult left{.notAttempted = "not attempted: rail2 failed"};
    const ResourceReport report = applied(before, before, left);
    EXPECT_EQ(report.outcome, Outcome::failed);
    EXPECT_EQ(report.assessment.reason, "not attempted: rail2 failed");
    before.onEveryApply = false;
    EXPECT_EQ(applied(before, before, left).outcome, Outcome::inSync);
}

}  // namespace
}  // namespace fabric::engine
