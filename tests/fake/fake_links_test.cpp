// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_links.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::fake {
namespace {

using namespace std::chrono_literals;

TEST(FakeLinks, a_bounce_is_heard_and_the_clock_moves_with_it) {
    FakeClock clock;
    FakeLinks links(clock);
    links.add(4, "ens1");
    const auto start = clock.now();
    const auto watch = links.watch().value();
    links.bounce(IfIndex{4}, 700ms);
    EXPECT_FALSE(links.link(IfIndex{4})->carrier);
    EXPECT_FALSE(watch->next(start + 15s).value()->carrier);
    EXPECT_TRUE(watch->next(start + 15s).value()->carrier);
    EXPECT_EQ(clock.now() - start, 700ms);
    EXPECT_TRUE(links.link(IfIndex{4})->carrier);
    EXPECT_EQ(links.link(IfIndex{4})->carrierDownCount, 1U);
}

TEST(FakeLinks, waiting_ends_at_the_deadline) {
    FakeClock clock;
    FakeLinks links(clock);
    links.add(4, "ens1");
    const auto watch = links.watch().value();
    links.bounce(IfIndex{4}, std::nullopt);
    const auto deadline = clock.now() + 15s;
    EXPECT_TRUE(watch->next(deadline).value().has_value());
    EXPECT_FALSE(watch->next(deadline).value().has_value());
    EXPECT_EQ(clock.now(), deadline);
}

TEST(FakeLinks, a_watch_does_not_hear_the_past) {
    FakeClock clock;
    FakeLinks links(clock);
    links.add(4, "ens1");
    links.bounce(IfIndex{4}, 1s);
    const auto watch = links.watch().value();
    EXPECT_TRUE(watch->next(clock.now() + 2s).value()->carrier);
}

TEST(FakeLinks, mtu_changes_are_recorded_and_checked) {
    FakeClock clock;
    FakeLinks links(clock);
    links.add(4, "ens1").maxMtu = 9978;
    EXPECT_TRUE(links.setMtu(IfIndex{4}, 9000));
    EXPECT_EQ(links.setMtu(IfIndex{4}, 10000).error().sysErrno, EINVAL);
    EXPECT_EQ(links.setMtu(IfIndex{5}, 9000).error().kind, ErrorKind::notFound);
    EXPECT_EQ(links.link(IfIndex{4})->mtu, 9000U);
    EXPECT_EQ(links.mtuChanges.size(), 3U);
}

}  // namespace
}  // namespace fabric::fake
