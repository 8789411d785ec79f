// SPDX-License-Identifier: Apache-2.0
// ETS and max rate.
#include "harness.hpp"
#include "resource/dcb/concerns.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::dcb {
namespace {

using fake::DcbDriver;
using fake::DcbSetter;
using profile::TransmissionSelection;

profile::Ets halves() {
    profile::Ets ets;
    ets.priorityToTc = {{Priority::of(3), TrafficClass::of(3)}};
    ets.tsa = {{TrafficClass::of(6), TransmissionSelection::strict}};
    ets.bandwidthPercent = {{TrafficClass::of(0), 50}, {TrafficClass::of(3), 50}};
    return ets;
}

TEST(DcbEts, fields_that_are_not_owned_stay) {
    Ets found{.willing = 1, .capability = 8, .creditBasedShaper = 1};
    found.priorityToTc = {1, 0, 2, 2, 4, 5, 6, 7};
    found.selection.fill(0xff);
    found.recommendedBandwidth[2] = 9;
    const Ets target = targetEts(halves(), found);
    EXPECT_EQ(target.willing, 1);
    EXPECT_EQ(target.creditBasedShaper, 1);
    EXPECT_EQ(target.recommendedBandwidth[2], 9);
    EXPECT_EQ(target.priorityToTc,
              (std::array<std::uint8_t, 8>{1, 0, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(target.selection[1], 0xff);
    EXPECT_EQ(target.selection[6], kTsaStrict);
}

TEST(DcbEts, a_class_with_a_bandwidth_is_an_ets_class_and_the_others_get_none) {
    Ets found;
    found.selection = {0, 2, 0, 0, 0, 0, 2, 0};
    found.transmitBandwidth = {0, 60, 0, 0, 0, 0, 40, 0};
    const Ets target = targetEts(halves(), found);
    EXPECT_EQ(target.selection, (std::array<std::uint8_t, 8>{2, 2, 0, 2, 0, 0, 0, 0}));
    EXPECT_EQ(target.transmitBandwidth,
              (std::array<std::uint8_t, 8>{50, 0, 0, 50, 0, 0, 0, 0}));
}

TEST(DcbEts, a_sum_that_the_driver_refuses_fails_before_it_is_sent) {
    Machine machine(DcbDriver::mlx5);
    profile::Ets ets;
    ets.tsa = {{TrafficClass::of(3), TransmissionSelection::ets}};
    machine.wanted.ets = ets;
    const Comparison look = machine.look();
    EXPECT_EQ(verdictOf(look, "ets"), Verdict::failed);
    EXPECT_EQ(stepFor(look, "ets"), nullptr);
    EXPECT_NE(of(look, "ets").reason.find("sum to 0 percent"), std::string::npos);
}

TEST(DcbEts, equal_ets_is_not_written) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.ets = halves();
    EXPECT_EQ(verdictOf(machine.apply(), "ets"), Verdict::inSync);
    EXPECT_EQ(machine.port().calls[DcbSetter::ets], 1U);
    machine.apply();
    EXPECT_EQ(machine.port().calls[DcbSetter::ets], 1U);
}

TEST(DcbEts, D02_ets_without_an_operation_is_unsupported) {
    Machine machine(DcbDriver::plain);
    machine.wanted.ets = halves();
    machine.port().faults.unsupported = {DcbSetter::ets};
    EXPECT_EQ(verdictOf(machine.apply(), "ets"), Verdict::unsupported);
    EXPECT_EQ(machine.port().calls[DcbSetter::ets], 0U);
}

TEST(DcbEts, found_shows_what_is_owned_and_what_stands_against_it) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.ets = halves();
    const Comparison look = machine.look();
    EXPECT_EQ(of(look, "ets").found.member("tsa")->toText(),
              "{0: vendor, 3: vendor, 6: vendor}");
    EXPECT_EQ(of(look, "ets").wanted.member("priority-to-tc")->toText(), "{3: 3}");
}

struct RateCase {
    std::uint64_t wanted;
    std::uint64_t found;
    Verdict verdict;
};

class DcbMaxRate : public testing::TestWithParam<RateCase> {};

TEST_P(DcbMaxRate, is_equal_within_one_hardware_step_below) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.maxRate = {{{TrafficClass::of(3), Kbps{GetParam().wanted}}}};
    machine.port().maxRate.tc_maxrate[3] = GetParam().found;
    EXPECT_EQ(verdictOf(machine.look(), "max-rate"), GetParam().verdict);
}

INSTANTIATE_TEST_SUITE_P(
    steps,
    DcbMaxRate,
    testing::Values(RateCase{100'500'000, 100'000'000, Verdict::inSync},
                    RateCase{100'000'000, 98'000'000, Verdict::differs},
                    RateCase{100'000'000, 101'000'000, Verdict::differs},
                    RateCase{10'050'000, 10'000'000, Verdict::inSync},
                    RateCase{10'000'000, 9'800'000, Verdict::differs},
                    RateCase{0, 0, Verdict::inSync},
                    RateCase{0, 100'000, Verdict::differs},
                    RateCase{100'000, 0, Verdict::differs}));

TEST(DcbMaxRates, D23_a_rate_above_the_ceiling_is_not_sent_where_it_would_wrap) {
    Machine machine(DcbDriver::mlx5);
    machine.port().faults.rateWraps = true;
    machine.wanted.maxRate = {{{TrafficClass::of(3), Kbps{300'000'000}}}};
    const Comparison after = machine.apply();
    EXPECT_EQ(verdictOf(after, "max-rate"), Verdict::unsupported);
    EXPECT_NE(of(after, "max-rate").reason.find("255Gbit"), std::string::npos);
    EXPECT_EQ(machine.port().calls[DcbSetter::maxRate], 0U);
}

TEST(DcbMaxRates, D23_a_rate_that_wrapped_before_is_seen_by_reading_back) {
    Machine machine(DcbDriver::plain);  // no known ceiling
    machine.port().faults.rateWraps = true;
    machine.wanted.maxRate = {{{TrafficClass::of(3), Kbps{300'000'000}}}};
    const Comparison after = machine.apply();
    EXPECT_EQ(machine.port().maxRate.tc_maxrate[3], 44'000'000U);
    EXPECT_EQ(verdictOf(after, "max-rate"), Verdict::differs);
    EXPECT_EQ(of(after, "max-rate").found.toText(), "{3: 44Gbit}");
}

TEST(DcbMaxRates, a_rate_below_the_floor_is_unsupported) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.maxRate = {{{TrafficClass::of(3), Kbps{50'000}}}};
    EXPECT_EQ(verdictOf(machine.look(), "max-rate"), Verdict::unsupported);
}

TEST(DcbMaxRates, classes_that_are_not_owned_keep_their_limit) {
    Machine machine(DcbDriver::mlx5);
    machine.port().maxRate.tc_maxrate[5] = 7'000'000;
    machine.wanted.maxRate = {{{TrafficClass::of(3), Kbps{100'000'000}}}};
    EXPECT_EQ(verdictOf(machine.apply(), "max-rate"), Verdict::inSync);
    EXPECT_EQ(machine.port().maxRate.tc_maxrate[5], 7'000'000U);
}

TEST(DcbMaxRates, D02_without_an_operation_it_is_unsupported) {
    Machine machine(DcbDriver::bnxt);
    machine.wanted.maxRate = {{{TrafficClass::of(3), Kbps{100'000'000}}}};
    EXPECT_EQ(verdictOf(machine.apply(), "max-rate"), Verdict::unsupported);
}

}  // namespace
}  // namespace fabric::resource::dcb
