// SPDX-License-Identifier: Apache-2.0
#include "linux/ticker.hpp"

#include <gtest/gtest.h>

#include <signal.h>

#include <chrono>

namespace fabric::linux_host {
namespace {

using namespace std::chrono_literals;

TEST(Ticker, comes_at_its_pace_and_makes_up_for_nothing) {
    const auto begin = std::chrono::steady_clock::now();
    const auto ticker = Ticker::every(20ms);
    ASSERT_TRUE(ticker) << ticker.error().message();
    EXPECT_TRUE(ticker->wait().value());
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 20ms);
    EXPECT_TRUE(ticker->wait().value());
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 40ms);
}

// A signal that the caller blocks ends the wait, also when it came before.
TEST(Ticker, a_signal_that_is_held_back_is_let_in_by_the_wait) {
    struct sigaction handled{};
    handled.sa_handler = [](int) {};
    struct sigaction before{};
    ASSERT_EQ(::sigaction(SIGUSR1, &handled, &before), 0);
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGUSR1);
    sigset_t mask;
    ASSERT_EQ(::sigprocmask(SIG_BLOCK, &held, &mask), 0);
    ASSERT_EQ(::raise(SIGUSR1), 0);
    const auto ticker = Ticker::every(1h);
    ASSERT_TRUE(ticker);
    EXPECT_FALSE(ticker->wait().value());
    EXPECT_EQ(::sigprocmask(SIG_SETMASK, &mask, nullptr), 0);
    EXPECT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
}

}  // namespace
}  // namespace fabric::linux_host
