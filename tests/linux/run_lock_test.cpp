// SPDX-License-Identifier: Apache-2.0
#include "linux/run_lock.hpp"

#include "linux/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace fabric::linux_host {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

class RunLockTest : public ::testing::Test {
  protected:
    testing::TemporaryDirectory directory_;
    FileRunLocks first_{directory_ / "run", "apply"};
    FileRunLocks second_{directory_ / "run", "check"};
};

TEST_F(RunLockTest, a_second_writer_is_refused_and_told_who_holds_it) {
    const auto held = first_.exclusive(0ms);
    ASSERT_TRUE(held.has_value());
    const auto refused = second_.exclusive(0ms);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().kind, ErrorKind::busy);
    EXPECT_THAT(refused.error().detail, HasSubstr(std::to_string(::getpid())));
    EXPECT_THAT(refused.error().detail, HasSubstr("apply"));
}

TEST_F(RunLockTest, a_process_that_ended_is_not_said_to_hold_it) {
    const auto held = first_.exclusive(0ms);
    ASSERT_TRUE(held.has_value());
    // What the holder finds there before it has written its own name.
    std::ofstream(directory_ / "run/lock") << "process 4194305 (fabricctl apply)\n";
    EXPECT_EQ(second_.exclusive(0ms).error().detail, "held by another run");
    EXPECT_EQ(second_.shared(0ms).error().detail, "held by another run");
}

TEST_F(RunLockTest, readers_run_beside_each_other_and_not_beside_a_writer) {
    EXPECT_TRUE(first_.exclusive(0ms));
    {
        const auto one = first_.shared(0ms);
        const auto two = second_.shared(0ms);
        ASSERT_TRUE(one.has_value() && two.has_value());
        EXPECT_NE(*one, nullptr);
        EXPECT_NE(*two, nullptr);
        EXPECT_EQ(first_.exclusive(0ms).error().kind, ErrorKind::busy);
    }
    const auto writer = first_.exclusive(0ms);
    ASSERT_TRUE(writer.has_value());
    EXPECT_EQ(second_.shared(0ms).error().kind, ErrorKind::busy);
}

TEST_F(RunLockTest, a_reader_is_not_taken_for_the_last_writer) {
    ASSERT_TRUE(first_.exclusive(0ms));
    const auto reader = second_.shared(0ms);
    ASSERT_TRUE(reader.has_value());
    const auto refused = first_.exclusive(0ms);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().detail, HasSubstr("only reads"));
    EXPECT_THAT(refused.error().detail, Not(HasSubstr(std::to_string(::getpid()))));
}

TEST_F(RunLockTest, a_fifo_in_the_place_of_the_lock_does_not_hold_a_reader) {
    directory_.write("run/other", "");
    ASSERT_EQ(::mkfifo((directory_ / "run/lock").c_str(), 0600), 0);
    EXPECT_TRUE(first_.shared(0ms).has_value());
}

TEST_F(RunLockTest, a_link_in_the_place_of_its_directory_is_not_followed) {
    directory_.write("elsewhere/other", "");
    std::filesystem::create_directory_symlink(directory_ / "elsewhere",
                                              directory_ / "run");
    const auto refused = first_.exclusive(0ms);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().detail, HasSubstr("a link"));
    EXPECT_EQ(second_.shared(0ms).value(), nullptr);
    EXPECT_FALSE(std::filesystem::exists(directory_ / "elsewhere/lock"));
}

TEST_F(RunLockTest, nobody_else_can_open_it_and_so_keep_it) {
    ASSERT_TRUE(first_.exclusive(0ms));
    const auto status = std::filesystem::status(directory_.path() / "run/lock");
    EXPECT_EQ(status.permissions() & std::filesystem::perms(0077),
              std::filesystem::perms::none);
}

TEST_F(RunLockTest, waiting_ends_at_the_time_limit) {
    const auto held = first_.exclusive(0ms);
    const auto start = std::chrono::steady_clock::now();
    const auto refused = second_.exclusive(60ms);
    EXPECT_EQ(refused.error().kind, ErrorKind::busy);
    EXPECT_NE(refused.error().advice.find("within --lock-wait"), std::string::npos);
    EXPECT_GE(std::chrono::steady_clock::now() - start, 60ms);
}

TEST_F(RunLockTest, a_link_in_the_place_of_the_lock_is_not_followed) {
    directory_.write("run/other", "precious");
    std::filesystem::create_symlink("other", directory_.path() / "run/lock");
    EXPECT_FALSE(first_.exclusive(0ms).has_value());
    EXPECT_EQ(directory_.content("run/other"), "precious");
}

}  // namespace
}  // namespace fabric::linux_host
