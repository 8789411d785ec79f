// SPDX-License-Identifier: Apache-2.0
#include "engine/neighbour_room.hpp"

#include "fake/fake_host.hpp"

#include <gtest/gtest.h>

namespace fabric::engine {
namespace {

using host::NeighbourState;
using namespace std::chrono_literals;

constexpr IfIndex kRail{2};
constexpr std::string_view kMac = "02:00:00:00:02:01";

class NeighbourRoomTest : public ::testing::Test {
  protected:
    NeighbourRoomTest() { host.links.add(kRail.number, "raila"); }

    [[nodiscard]] bool isCached(std::string_view address) const {
        return host.neighbours.find(kRail, address) != nullptr;
    }

    fake::FakeHost host;
    host::Reader reader = host.reader();
    host::Writer writer = host.writer();
    NeighbourRoom room{reader, writer};
};

TEST_F(NeighbourRoomTest, a_flush_takes_dynamic_entries_only) {
    host.neighbours.add(kRail, "10.0.1.2", kMac);
    host.neighbours.add(kRail, "10.0.1.3", kMac).state = NeighbourState::permanent;
    host.neighbours.add(kRail, "10.0.1.4", kMac).state = NeighbourState::noArp;
    host.neighbours.add(kRail, "10.0.1.5", kMac).externLearned = true;
    host.neighbours.add(kRail, "10.0.1.6", kMac).managed = true;
    host.neighbours.add(IfIndex{3}, "10.0.2.2", kMac);
    ASSERT_TRUE(room.remove({.link = kRail, .addresses = {}, .everyDynamic = true}));
    EXPECT_EQ(host.neighbours.removed.size(), 1U);
    EXPECT_FALSE(isCached("10.0.1.2"));
    EXPECT_TRUE(isCached("10.0.1.3"));
}

TEST_F(NeighbourRoomTest, H08_what_became_extern_learn_since_the_plan_stays) {
    host.neighbours.add(kRail, "10.0.1.2", kMac).externLearned = true;
    ASSERT_TRUE(room.remove(
        {.link = kRail, .addresses = {IpAddress::parse("10.0.1.2").value()}}));
    EXPECT_TRUE(isCached("10.0.1.2"));
    EXPECT_TRUE(host.neighbours.removed.empty());
}

TEST_F(NeighbourRoomTest, what_was_learned_between_plan_and_write_goes_too) {
    host.neighbours.add(kRail, "10.0.1.2", kMac);
    ASSERT_TRUE(room.remove({.link = kRail, .addresses = {}, .everyDynamic = true}));
    ASSERT_TRUE(room.resolve({.link = kRail, .addresses = {}}));
    ASSERT_EQ(host.neighbours.resolved.size(), 1U) << "and it is asked for again";
    EXPECT_EQ(host.neighbours.resolved[0].address.text(), "10.0.1.2");
}

TEST_F(NeighbourRoomTest, H15_an_entry_that_outlives_every_round_fails_the_flush) {
    host.neighbours.add(kRail, "10.0.1.2", kMac);
    host.neighbours.keepsEntries = true;
    const auto done =
        room.remove({.link = kRail, .addresses = {}, .everyDynamic = true});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, ErrorKind::mismatch);
    EXPECT_EQ(host.neighbours.removed.size(), static_cast<std::size_t>(kFlushRounds));
}

TEST_F(NeighbourRoomTest, an_entry_that_is_learned_again_counts_as_flushed) {
    const host::Neighbour entry = host.neighbours.add(kRail, "10.0.1.2", kMac);
    host.neighbours.removeHook = [&](const host::NeighbourKey&) {
        host.neighbours.add(entry, 0ms);
    };
    EXPECT_TRUE(room.remove({.link = kRail, .addresses = {}, .everyDynamic = true}));
    EXPECT_EQ(host.neighbours.removed.size(), 1U);
}

TEST_F(NeighbourRoomTest, answers_are_awaited_on_events_not_to_the_deadline) {
    host.neighbours.answer(kRail, "10.0.1.2", kMac);
    const auto before = host.clock.now();
    ASSERT_TRUE(room.resolve(
        {.link = kRail, .addresses = {IpAddress::parse("10.0.1.2").value()}}));
    EXPECT_TRUE(room.awaitAnswers().empty());
    EXPECT_LT(host.clock.now() - before, 100ms);
    EXPECT_EQ(host.neighbours.find(kRail, "10.0.1.2")->state,
              NeighbourState::reachable);
}

TEST_F(NeighbourRoomTest, what_does_not_come_back_is_named) {
    host.neighbours.answer(kRail, "10.0.1.2", kMac);
    ASSERT_TRUE(room.resolve({.link = kRail,
                              .addresses = {IpAddress::parse("10.0.1.2").value(),
                                            IpAddress::parse("10.0.1.3").value()}}));
    const auto findings = room.awaitAnswers();
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].id, "neighbour.not-back");
    EXPECT_EQ(findings[0].device, "raila");
    EXPECT_NE(findings[0].summary.find("1 of 2"), std::string::npos)
        << findings[0].summary;
    EXPECT_EQ(findings[0].evidence, "10.0.1.3");
}

// The kernel tells a deletion as a failure first; with the first link's questions open,
// that of the second link is heard.
TEST_F(NeighbourRoomTest, a_deletion_is_not_taken_for_silence) {
    constexpr IfIndex kSecond{3};
    for (const IfIndex link : {kRail, kSecond}) {
        host.neighbours.add(link, "10.0.1.2", kMac);
        host.neighbours.answer(link, "10.0.1.2", kMac);
        ASSERT_TRUE(room.remove({.link = link, .addresses = {}, .everyDynamic = true}));
        ASSERT_TRUE(room.resolve({.link = link, .addresses = {}}));
    }
    EXPECT_TRUE(room.awaitAnswers().empty());
    EXPECT_EQ(host.neighbours.find(kSecond, "10.0.1.2")->state,
              NeighbourState::reachable);
}

TEST_F(NeighbourRoomTest, silence_ends_at_the_deadline) {
    host.neighbours.giveUpAfter = 60s;
    const auto before = host.clock.now();
    ASSERT_TRUE(room.resolve(
        {.link = kRail, .addresses = {IpAddress::parse("10.0.1.3").value()}}));
    EXPECT_EQ(room.awaitAnswers().size(), 1U);
    EXPECT_EQ(host.clock.now() - before, kAnswerDeadline);
}

TEST_F(NeighbourRoomTest, lost_messages_are_made_up_for_by_a_fresh_look) {
    host.neighbours.overrunsWatch = true;
    host.neighbours.answer(kRail, "10.0.1.2", kMac);
    ASSERT_TRUE(room.resolve(
        {.link = kRail, .addresses = {IpAddress::parse("10.0.1.2").value()}}));
    EXPECT_TRUE(room.awaitAnswers().empty());
}

TEST_F(NeighbourRoomTest, what_a_failed_step_deleted_is_asked_for_all_the_same) {
    host.neighbours.add(kRail, "10.0.1.2", kMac);
    host.neighbours.add(kRail, "10.0.1.3", kMac);
    host.neighbours.answer(kRail, "10.0.1.2", kMac);
    host.neighbours.removeErrors[{
        .link = kRail, .address = IpAddress::parse("10.0.1.3").value()}] = EPERM;
    EXPECT_FALSE(room.remove({.link = kRail, .addresses = {}, .everyDynamic = true}));
    EXPECT_TRUE(room.awaitAnswers().empty());
    EXPECT_TRUE(isCached("10.0.1.2"));
}

}  // namespace
}  // namespace fabric::engine
