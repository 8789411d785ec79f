// SPDX-License-Identifier: Apache-2.0
#include "engine/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace fabric::engine {
namespace {

Report withOutcomes(std::initializer_list<Outcome> outcomes) {
    Report report;
    for (const Outcome outcome : outcomes) {
        report.resources.push_back({.outcome = outcome});
    }
    return report;
}

TEST(ExitCode, follows_from_the_outcome_alone) {
    using enum Outcome;
    for (const Outcome fine : {inSync, changed, notApplicable, skipped}) {
        EXPECT_EQ(withOutcomes({fine}).exitCode(), ExitCode::asWanted)
            << toString(fine);
    }
    EXPECT_EQ(withOutcomes({drifted}).exitCode(), ExitCode::differences);
    EXPECT_EQ(withOutcomes({unreadable}).exitCode(), ExitCode::unverifiable);
    EXPECT_EQ(withOutcomes({failed}).exitCode(), ExitCode::someFailed);
    EXPECT_EQ(withOutcomes({unsupported}).exitCode(), ExitCode::someFailed);
}

TEST(ExitCode, worst_wins_in_the_order_5_4_1_3_6_2_0) {
    using enum Outcome;
    EXPECT_EQ(withOutcomes({inSync, drifted, unreadable}).exitCode(),
              ExitCode::unverifiable);
    EXPECT_EQ(withOutcomes({failed, unreadable, drifted}).exitCode(),
              ExitCode::someFailed);
    Report stopped = withOutcomes({failed});
    stopped.stopped = Error{.kind = ErrorKind::permission};
    EXPECT_EQ(stopped.exitCode(), ExitCode::couldNotRun);
    stopped.stopped = Error{.kind = ErrorKind::busy};
    stopped.locked = true;
    EXPECT_EQ(stopped.exitCode(), ExitCode::locked);
    stopped.errors.push_back({});
    EXPECT_EQ(stopped.exitCode(), ExitCode::profileInvalid);
}

TEST(ExitCode, a_busy_device_is_not_another_run) {
    Report report;
    report.stopped = systemError("read PCI functions", "/sys/bus/pci", EBUSY);
    EXPECT_EQ(report.exitCode(), ExitCode::couldNotRun);
}

// Whatever the outcomes, the code is that of the worst one, and adding any outcome
// never makes it better.
TEST(ExitCode, worst_wins_over_every_set_of_outcomes) {
    constexpr unsigned kOutcomes = 8;
    const auto rank = [](ExitCode code) {
        constexpr std::array kBestFirst{ExitCode::asWanted,
                                        ExitCode::differences,
                                        ExitCode::unverifiable,
                                        ExitCode::someFailed,
                                        ExitCode::couldNotRun,
                                        ExitCode::locked,
                                        ExitCode::profileInvalid};
        return std::ranges::find(kBestFirst, code) - kBestFirst.begin();
    };
    for (unsigned set = 0; set < 1U << kOutcomes; ++set) {
        Report report;
        std::ptrdiff_t worst = 0;
        for (unsigned one = 0; one < kOutcomes; ++one) {
            if (((set >> one) & 1U) != 0) {
                report.resources.push_back({.outcome = static_cast<Outcome>(one)});
                worst = std::max(worst, rank(exitCodeOf(static_cast<Outcome>(one))));
            }
        }
        EXPECT_EQ(rank(report.exitCode()), worst) << set;
        EXPECT_EQ(report.result() == "converged", worst == 0) << set;
        std::ranges::reverse(report.resources);
        EXPECT_EQ(rank(report.exitCode()), worst) << set;
    }
}

TEST(ExitCode, nothing_looked_at_is_as_wanted_and_detailed_tells_changes) {
    EXPECT_EQ(Report{}.exitCode(), ExitCode::asWanted);
    Report report = withOutcomes({Outcome::changed});
    report.changed = true;
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
    report.detailedExitCode = true;
    EXPECT_EQ(report.exitCode(), ExitCode::differences);
    EXPECT_EQ(report.result(), "converged");
}

TEST(Result, names_what_the_exit_code_means) {
    using enum Outcome;
    EXPECT_EQ(withOutcomes({inSync, skipped}).result(), "converged");
    EXPECT_EQ(withOutcomes({inSync, drifted}).result(), "differs");
    EXPECT_EQ(withOutcomes({inSync, failed}).result(), "partial");
    EXPECT_EQ(withOutcomes({failed, notApplicable}).result(), "failed");
    EXPECT_EQ(withOutcomes({inSync, unreadable}).result(), "unverifiable");
    Report invalid;
    invalid.errors.push_back({});
    EXPECT_EQ(invalid.result(), "failed");
}

TEST(Report, a_file_that_could_not_be_written_with_it_is_in_its_exit_code) {
    Report report;
    report.unrecorded = true;
    EXPECT_EQ(report.exitCode(), ExitCode::couldNotRun);
    EXPECT_EQ(report.result(), "converged");  // which is about the host
}

}  // namespace
}  // namespace fabric::engine
