// SPDX-License-Identifier: Apache-2.0
#include "linux/watchdog.hpp"

#include "linux/delayed_commands.hpp"
#include "linux/run_lock.hpp"
#include "linux/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fabric::linux_host {
namespace {

using namespace std::chrono_literals;

class WatchdogTest : public ::testing::Test {
  protected:
    [[nodiscard]] host::DelayedCommand touch(std::chrono::milliseconds delay) const {
        return {.name = "w",
                .what = "w",
                .arguments = {"/usr/bin/touch", directory_ / "ran"},
                .delay = delay};
    }

    [[nodiscard]] bool ran() const {
        return std::filesystem::exists(directory_ / "ran");
    }

    static pid_t pidOf(const host::CommandKeeper& keeper) {
        return static_cast<pid_t>(keeper.process);
    }

    testing::TemporaryDirectory directory_;
    Watchdog watchdog_;
};

TEST_F(WatchdogTest, the_command_runs_when_its_time_has_come) {
    const auto keeper = watchdog_.arm(touch(100ms));
    ASSERT_TRUE(keeper) << keeper.error().message();
    EXPECT_EQ(keeper->timer, "");
    int status = -1;
    ASSERT_EQ(::waitpid(pidOf(*keeper), &status, 0), pidOf(*keeper));
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_TRUE(ran());
}

TEST_F(WatchdogTest, the_end_of_a_session_or_a_terminal_does_not_end_it) {
    const auto keeper = watchdog_.arm(touch(200ms));
    ASSERT_TRUE(keeper);
    EXPECT_EQ(::getsid(pidOf(*keeper)), pidOf(*keeper));
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE}) {
        EXPECT_EQ(::kill(pidOf(*keeper), signal), 0);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(pidOf(*keeper), &status, 0), pidOf(*keeper));
    EXPECT_TRUE(WIFEXITED(status)) << status;
    EXPECT_TRUE(ran());
}

TEST_F(WatchdogTest, it_holds_nothing_open_that_was_ours) {
    FileRunLocks locks(directory_ / "run", "test");
    std::optional<host::CommandKeeper> keeper;
    {
        const auto held = locks.exclusive(0ms);
        ASSERT_TRUE(held);
        const auto armed = watchdog_.arm(touch(60s));
        ASSERT_TRUE(armed);
        keeper = *armed;
    }
    EXPECT_TRUE(locks.exclusive(0ms)) << "its copy of the lock is held";
    std::vector<std::string> open;
    for (const auto& entry : std::filesystem::directory_iterator(
             "/proc/" + std::to_string(keeper->process) + "/fd")) {
        open.push_back(std::filesystem::read_symlink(entry.path()).string());
    }
    EXPECT_THAT(open,
                ::testing::UnorderedElementsAre(
                    "/dev/null", "/dev/null", "/dev/null", "anon_inode:[timerfd]"));
    EXPECT_TRUE(watchdog_.disarm(*keeper));
}

TEST_F(WatchdogTest, disarmed_it_is_gone_and_the_command_never_runs) {
    const auto keeper = watchdog_.arm(touch(60s));
    ASSERT_TRUE(keeper);
    ASSERT_TRUE(watchdog_.disarm(*keeper));
    int status = -1;
    ASSERT_EQ(::waitpid(pidOf(*keeper), &status, 0), pidOf(*keeper));
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    EXPECT_FALSE(ran());
    EXPECT_TRUE(watchdog_.disarm(*keeper)) << "gone already";
}

TEST_F(WatchdogTest, released_it_waits_no_longer_and_the_command_may_ask_for_it) {
    const auto keeper = watchdog_.arm(touch(60s));
    ASSERT_TRUE(keeper);
    ASSERT_TRUE(watchdog_.release({.timer = {},
                                   .process = static_cast<std::uint32_t>(::getpid()),
                                   .processStart = 0}));
    ASSERT_TRUE(watchdog_.release(*keeper));
    int status = -1;
    ASSERT_EQ(::waitpid(pidOf(*keeper), &status, 0), pidOf(*keeper));
    EXPECT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_FALSE(ran());
}

TEST_F(WatchdogTest, another_process_with_its_number_is_left_alone) {
    const auto keeper = watchdog_.arm(touch(60s));
    ASSERT_TRUE(keeper);
    host::CommandKeeper other = *keeper;
    other.processStart += 1;
    EXPECT_TRUE(watchdog_.disarm(other));
    EXPECT_EQ(::kill(pidOf(*keeper), 0), 0) << "the wrong process was ended";
    EXPECT_TRUE(watchdog_.disarm(*keeper));
    ::waitpid(pidOf(*keeper), nullptr, 0);
}

TEST_F(WatchdogTest, a_deadline_that_is_over_is_not_armed) {
    EXPECT_FALSE(watchdog_.arm(touch(0ms)));
    EXPECT_FALSE(ran());
}

TEST(OwnProgram, is_the_one_that_runs) {
    const auto program = ownProgram();
    ASSERT_TRUE(program) << program.error().message();
    EXPECT_TRUE(std::filesystem::equivalent(*program, "/proc/self/exe"));
}

}  // namespace
}  // namespace fabric::linux_host
