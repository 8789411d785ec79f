// SPDX-License-Identifier: Apache-2.0
#include "watch/movement.hpp"

#include "watch/counted_rail.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace fabric::watch {
namespace {

using testing::at;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using testing::port;
using testing::rdma;

constexpr Priority kThree = Priority::of(3);

TEST(Movement, a_counter_is_told_by_what_it_rose) {
    const Movement seen =
        between(at(0, {port({{"rx_prio3_pause", 7}, {"tx_prio3_bytes", 1000}})}),
                at(2, {port({{"rx_prio3_pause", 12}, {"tx_prio3_bytes", 1000}})}));
    EXPECT_DOUBLE_EQ(seen.seconds, 2.0);
    EXPECT_THAT(riseOf(seen.rises, Meaning::pauseReceived, kThree), Optional(5U));
    EXPECT_THAT(riseOf(seen.rises, Meaning::sentBytes, kThree), Optional(0U));
    EXPECT_THAT(seen.rebased, IsEmpty());
    EXPECT_THAT(seen.problems, IsEmpty());
}

TEST(Movement, what_a_driver_does_not_count_is_unknown_and_not_zero) {
    const Movement seen =
        between(at(0, {port({{"rx_prio3_bytes", 1}}), rdma({{"packet_seq_err", 1}})}),
                at(1, {port({{"rx_prio3_bytes", 2}}), rdma({{"packet_seq_err", 1}})}));
    EXPECT_THAT(riseOf(seen.rises, Meaning::packetSequence), Optional(0U));
    EXPECT_EQ(riseOf(seen.rises, Meaning::pauseReceived, kThree), std::nullopt);
    EXPECT_EQ(riseOf(seen.rises, Meaning::ackTimeout), std::nullopt);
    EXPECT_EQ(riseOf(seen.rises, Meaning::receivedBytes, Priority::of(4)),
              std::nullopt);
}

TEST(Movement, a_sum_of_priorities_is_unknown_when_one_of_them_does_not_tell) {
    const Movement seen =
        between(at(0, {port({{"rx_prio3_pause", 5}, {"rx_prio4_pause", 9}})}),
                at(1, {port({{"rx_prio3_pause", 8}, {"rx_prio4_pause", 13}})}));
    const auto sum = [&](const std::set<Priority>& priorities) {
        return sumOf(seen.rises, Meaning::pauseReceived, priorities);
    };
    EXPECT_THAT(sum({kThree, Priority::of(4)}), Optional(7U));
    EXPECT_EQ(sum({kThree, Priority::of(5)}), std::nullopt);
    EXPECT_EQ(sum({}), std::nullopt);
    EXPECT_EQ(atLeast(seen.rises, Meaning::pauseReceived, {kThree, Priority::of(5)}),
              3U);
}

TEST(Movement, a_counter_that_goes_backwards_is_counted_anew_and_said) {
    const Movement seen =
        between(at(0, {port({{"rx_prio3_pause", 900}, {"tx_prio3_pause", 4}})}),
                at(1, {port({{"rx_prio3_pause", 2}, {"tx_prio3_pause", 6}})}));
    EXPECT_EQ(riseOf(seen.rises, Meaning::pauseReceived, kThree), std::nullopt);
    EXPECT_THAT(riseOf(seen.rises, Meaning::pauseSent, kThree), Optional(2U));
    EXPECT_THAT(seen.rebased, ElementsAre("ens1f0np0: rx_prio3_pause"));
}

TEST(Movement, a_counter_that_appears_begins_then_and_one_that_goes_is_unknown) {
    const Movement seen = between(at(0, {port({{"rx_prio3_pause", 5}})}),
                                  at(1, {port({{"tx_prio3_pause", 90}})}));
    EXPECT_EQ(riseOf(seen.rises, Meaning::pauseSent, kThree), std::nullopt);
    EXPECT_EQ(riseOf(seen.rises, Meaning::pauseReceived, kThree), std::nullopt);
    EXPECT_THAT(seen.rebased, IsEmpty());
}

TEST(Movement, a_sum_is_unknown_when_one_of_its_counters_began_anew) {
    const Movement seen = between(
        at(0,
           {port({{"rx_discard_packets_cos0", 5}, {"rx_discard_packets_cos1", 9}},
                 "bnxt_en")}),
        at(1,
           {port({{"rx_discard_packets_cos0", 8}, {"rx_discard_packets_cos1", 0}},
                 "bnxt_en")}));
    EXPECT_EQ(riseOf(seen.rises, Meaning::discards), std::nullopt);
    EXPECT_THAT(seen.rebased, ElementsAre("ens1f0np0: rx_discard_packets_cos1"));
}

TEST(Movement, a_sum_is_unknown_when_one_of_its_counters_goes) {
    const Movement seen = between(
        at(0,
           {port({{"rx_discard_packets_cos0", 5}, {"rx_discard_packets_cos1", 9}},
                 "bnxt_en")}),
        at(1, {port({{"rx_discard_packets_cos0", 8}}, "bnxt_en")}));
    EXPECT_EQ(riseOf(seen.rises, Meaning::discards), std::nullopt);
}

TEST(Movement, the_queues_of_a_port_count_for_the_port_and_for_no_priority) {
    const Movement seen = between(
        at(0,
           {port({{"rx_discard_packets_cos0", 5}, {"rx_discard_packets_cos3", 9}},
                 "bnxt_en")}),
        at(1,
           {port({{"rx_discard_packets_cos0", 8}, {"rx_discard_packets_cos3", 10}},
                 "bnxt_en")}));
    EXPECT_THAT(riseOf(seen.rises, Meaning::discards), Optional(4U));
    EXPECT_EQ(riseOf(seen.rises, Meaning::discards, kThree), std::nullopt);
}

TEST(Movement, a_driver_own_bytes_come_before_the_words_that_every_port_has) {
    const Movement bnxt =
        between(at(0, {rdma({{"rx_bytes", 100}, {"port_rcv_data", 50}}, "bnxt_en")}),
                at(1, {rdma({{"rx_bytes", 300}, {"port_rcv_data", 90}}, "bnxt_en")}));
    EXPECT_THAT(riseOf(bnxt.rises, Meaning::receivedBytes), Optional(200U));
    const Movement mlx5 = between(at(0, {rdma({{"port_rcv_data", 50}})}),
                                  at(1, {rdma({{"port_rcv_data", 90}})}));
    EXPECT_THAT(riseOf(mlx5.rises, Meaning::receivedBytes), Optional(160U));
}

TEST(Movement, two_ports_of_one_rail_count_together_as_long_as_both_count) {
    const auto both = [](std::uint64_t first, std::uint64_t second) {
        return std::vector<Source>{
            port({{"rx_prio3_pause", first}, {"tx_prio3_pause", first}}),
            port({{"rx_prio3_pause", second}}, "mlx5_core", "ens1f1np1")};
    };
    const Movement seen = between(at(0, both(1, 10)), at(1, both(4, 12)));
    EXPECT_THAT(riseOf(seen.rises, Meaning::pauseReceived, kThree), Optional(5U));
    EXPECT_EQ(riseOf(seen.rises, Meaning::pauseSent, kThree), std::nullopt);
}

TEST(Movement, a_port_that_cannot_be_read_hides_nothing_of_the_others) {
    Source unreadable = port({});
    unreadable.counters =
        fail(systemError("read the statistics", "ens1f0np0", EOPNOTSUPP));
    const Movement seen = between(at(0, {unreadable, rdma({{"out_of_buffer", 1}})}),
                                  at(1, {unreadable, rdma({{"out_of_buffer", 5}})}));
    EXPECT_THAT(riseOf(seen.rises, Meaning::outOfBuffer), Optional(4U));
    EXPECT_THAT(seen.problems, ElementsAre(HasSubstr("read the statistics")));
}

TEST(Movement, a_port_that_can_be_read_again_begins_then) {
    Source unreadable = port({});
    unreadable.counters = fail(systemError("read the statistics", "ens1f0np0", EBUSY));
    const Movement seen =
        between(at(0, {unreadable}), at(1, {port({{"rx_prio3_pause", 4}})}));
    EXPECT_THAT(seen.rises, IsEmpty());
    EXPECT_THAT(seen.problems, IsEmpty());
}

TEST(Movement, what_another_driver_calls_so_is_not_taken_for_it) {
    const Movement seen = between(at(0, {port({{"rx_prio3_pause", 1}}, "bnxt_en")}),
                                  at(1, {port({{"rx_prio3_pause", 9}}, "bnxt_en")}));
    EXPECT_THAT(seen.rises, IsEmpty());
}

TEST(Movement, numbers_beyond_the_signed_range_are_subtracted_right) {
    constexpr std::uint64_t kLarge = UINT64_MAX - 10;
    const Movement seen = between(at(0, {rdma({{"packet_seq_err", kLarge}})}),
                                  at(1, {rdma({{"packet_seq_err", UINT64_MAX}})}));
    EXPECT_THAT(riseOf(seen.rises, Meaning::packetSequence), Optional(Eq(10U)));
}

TEST(Movement, what_stands_there_is_what_was_counted_up_to_now) {
    const Rises seen =
        standing(at(0, {port({{"tx_pause_storm_error_events", 3}}), rdma({})}));
    EXPECT_THAT(
        seen, ElementsAre(std::pair(Counted{Meaning::pauseStorms, std::nullopt}, 3U)));
}

}  // namespace
}  // namespace fabric::watch
