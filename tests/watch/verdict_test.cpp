// SPDX-License-Identifier: Apache-2.0
#include "watch/verdict.hpp"

#include "watch/counted_rail.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace fabric::watch {
namespace {

using testing::at;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kPriority3;
using testing::port;
using testing::rdma;
using ::testing::SizeIs;

constexpr Priority kThree = Priority::of(3);
constexpr Priority kFour = Priority::of(4);
constexpr std::uint64_t kMuch = 1'000'000'000;

// A rail whose counters are all told, without load.
Movement quiet() {
    Movement movement{.seconds = 1, .rises = {}, .rebased = {}, .problems = {}};
    for (const Meaning meaning : {Meaning::packetSequence,
                                  Meaning::ackTimeout,
                                  Meaning::outOfBuffer,
                                  Meaning::outOfSequence,
                                  Meaning::receivedBytes,
                                  Meaning::sentBytes}) {
        movement.rises[{meaning, std::nullopt}] = 0;
    }
    for (const Priority priority : {kThree, kFour}) {
        for (const Meaning meaning :
             {Meaning::pauseReceived, Meaning::pauseSent, Meaning::discards}) {
            movement.rises[{meaning, priority}] = 0;
        }
    }
    return movement;
}

Movement loaded() {
    Movement movement = quiet();
    movement.rises[{Meaning::sentBytes, std::nullopt}] = kMuch;
    return movement;
}

TEST(WatchVerdict, little_data_is_no_load) {
    EXPECT_EQ(judge(quiet(), kPriority3).verdict, Verdict::noLoad);
    Movement alive = quiet();
    alive.rises[{Meaning::receivedBytes, std::nullopt}] = 4000;
    EXPECT_EQ(judge(alive, kPriority3).verdict, Verdict::noLoad);
}

TEST(WatchVerdict, load_is_measured_by_the_second) {
    Movement movement = quiet();
    movement.rises[{Meaning::receivedBytes, std::nullopt}] = 2U << 20U;
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::flowing);
    movement.seconds = 60;
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::noLoad);
}

TEST(WatchVerdict, data_without_pause_and_loss_flows) {
    EXPECT_EQ(judge(loaded(), kPriority3).verdict, Verdict::flowing);
}

TEST(WatchVerdict,
     pause_on_the_lossless_priority_without_loss_is_pausing_not_dropping) {
    for (const Meaning meaning : {Meaning::pauseReceived, Meaning::pauseSent}) {
        Movement movement = loaded();
        movement.rises[{meaning, kThree}] = 12;
        const Judgement judgement = judge(movement, kPriority3);
        EXPECT_EQ(judgement.verdict, Verdict::pausing);
        EXPECT_EQ(sentenceOf(judgement.verdict), "pausing, not dropping");
        EXPECT_THAT(judgement.reason, HasSubstr("of priority 3 12"));
    }
}

TEST(WatchVerdict, a_stalled_rail_that_is_paused_is_no_rail_without_load) {
    Movement movement = quiet();
    movement.rises[{Meaning::pauseReceived, kThree}] = 100'000;
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::pausing);
}

TEST(WatchVerdict, pause_on_another_priority_is_none_of_the_lossless_one) {
    Movement movement = loaded();
    movement.rises[{Meaning::pauseReceived, kFour}] = 12;
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::flowing);
    EXPECT_EQ(judge(movement, std::set<Priority>{}).verdict, Verdict::pausing);
}

TEST(WatchVerdict, missing_packets_and_answers_are_dropping_whatever_pauses) {
    for (const Meaning meaning : {Meaning::packetSequence, Meaning::ackTimeout}) {
        Movement movement = loaded();
        movement.rises[{Meaning::pauseReceived, kThree}] = 12;
        movement.rises[{meaning, std::nullopt}] = 1;
        const Judgement judgement = judge(movement, kPriority3);
        EXPECT_EQ(judgement.verdict, Verdict::dropping);
        EXPECT_EQ(judgement.reason, std::string(toString(meaning)) + " 1");
    }
}

TEST(WatchVerdict, a_discard_counts_on_the_lossless_priority_alone) {
    Movement movement = loaded();
    movement.rises[{Meaning::discards, kFour}] = 5;
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::flowing);
    EXPECT_EQ(judge(movement, std::set<Priority>{}).verdict, Verdict::flowing);
    movement.rises[{Meaning::discards, kThree}] = 5;
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::dropping);
}

TEST(WatchVerdict, a_receiver_that_is_not_ready_is_no_loss_of_the_fabric) {
    Movement movement = loaded();
    movement.rises[{Meaning::outOfBuffer, std::nullopt}] = 9;
    movement.rises[{Meaning::outOfSequence, std::nullopt}] = 9;
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::flowing);
}

TEST(WatchVerdict, without_a_loss_counter_nothing_good_is_said) {
    Movement movement = loaded();
    movement.rises.erase({Meaning::packetSequence, std::nullopt});
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::flowing);
    movement.rises.erase({Meaning::ackTimeout, std::nullopt});
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::unknown);
    movement.rises[{Meaning::pauseSent, kThree}] = 3;
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::unknown);
    EXPECT_THAT(judge(movement, kPriority3).reason, HasSubstr("pausing"));
    EXPECT_EQ(judge({}, kPriority3).verdict, Verdict::unknown);
}

TEST(WatchVerdict, without_a_byte_counter_no_load_is_not_said) {
    Movement movement = quiet();
    movement.rises.erase({Meaning::receivedBytes, std::nullopt});
    movement.rises.erase({Meaning::sentBytes, std::nullopt});
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::unknown);
    movement.rises[{Meaning::sentBytes, kFour}] = kMuch;
    EXPECT_EQ(judge(movement, kPriority3).verdict, Verdict::flowing);
}

TEST(WatchVerdict, without_a_word_on_pfc_every_pause_frame_counts) {
    Movement movement = loaded();
    movement.rises[{Meaning::pauseReceived, kFour}] = 2;
    EXPECT_EQ(judge(movement, fail(systemError("read", "DCB", EPERM))).verdict,
              Verdict::pausing);
}

Sample sampleOf(int second, std::uint64_t pause, std::string rail = "ens1f0np0") {
    Sample sample = at(
        second,
        {port({{"rx_prio3_pause", pause}}),
         rdma({{"packet_seq_err", 0}, {"port_rcv_data", 1}, {"port_xmit_data", 1}})});
    sample.rail = std::move(rail);
    return sample;
}

TEST(WatchSession, the_first_look_at_a_rail_says_nothing) {
    Session session;
    EXPECT_THAT(session.take({sampleOf(0, 5)}), IsEmpty());
    const auto looks = session.take({sampleOf(1, 6), sampleOf(1, 0, "ens2f0np0")});
    ASSERT_THAT(looks, SizeIs(1));
    EXPECT_EQ(looks[0].judgement.verdict, Verdict::pausing);
    EXPECT_THAT(session.take({sampleOf(2, 6), sampleOf(2, 0, "ens2f0np0")}), SizeIs(2));
}

TEST(WatchSession, what_was_counted_since_the_start_bridges_a_restart) {
    Session session;
    const Counted pause{.meaning = Meaning::pauseReceived, .priority = kThree};
    static_cast<void>(session.take({sampleOf(0, 100)}));
    EXPECT_EQ(session.take({sampleOf(1, 110)})[0].sinceStart.at(pause), 10U);
    const auto restarted = session.take({sampleOf(2, 3)});
    EXPECT_EQ(restarted[0].sinceStart.at(pause), 10U);
    EXPECT_THAT(restarted[0].movement.rebased,
                ElementsAre("ens1f0np0: rx_prio3_pause"));
    EXPECT_EQ(session.take({sampleOf(3, 8)})[0].sinceStart.at(pause), 15U);
}

TEST(WatchSession, a_rail_that_is_gone_is_unknown_and_goes_on_when_it_is_back) {
    Session session;
    static_cast<void>(session.take({sampleOf(0, 1)}));
    const auto gone = session.take({});
    ASSERT_THAT(gone, SizeIs(1));
    EXPECT_FALSE(gone[0].present);
    EXPECT_EQ(gone[0].judgement.verdict, Verdict::unknown);
    const auto back = session.take({sampleOf(4, 3)});
    ASSERT_THAT(back, SizeIs(1));
    EXPECT_TRUE(back[0].present);
    EXPECT_DOUBLE_EQ(back[0].movement.seconds, 4.0);
    EXPECT_EQ(back[0].judgement.verdict, Verdict::pausing);
}

TEST(WatchSession, rails_are_told_in_the_order_of_their_names) {
    Session session;
    static_cast<void>(session.take({sampleOf(0, 0, "b"), sampleOf(0, 0, "a")}));
    const auto looks = session.take({sampleOf(1, 0, "b")});
    ASSERT_THAT(looks, SizeIs(2));
    EXPECT_EQ(looks[0].sample.rail, "a");
    EXPECT_EQ(looks[1].sample.rail, "b");
}

}  // namespace
}  // namespace fabric::watch
