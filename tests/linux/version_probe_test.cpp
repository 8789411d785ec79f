// SPDX-License-Identifier: Apache-2.0
#include "linux/version_probe.hpp"

#include "linux/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <linux/capability.h>

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace fabric::linux_host {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What must happen in time, however busy the machine is.
constexpr std::chrono::milliseconds kPatience{60'000};

class VersionProbeTest : public ::testing::Test {
  protected:
    VersionProbeTest() {
        ::chmod((directory_ / "").c_str(), 0755);  // another user looks in
    }

    std::string script(const std::string& body) {
        const std::string path = directory_ / "program";
        const std::string fresh = path + ".new";
        std::ofstream(fresh) << "#!/bin/sh\n" << body;
        ::chmod(fresh.c_str(), 0755);
        ::rename(fresh.c_str(), path.c_str());
        return path;
    }

    [[nodiscard]] std::string text(const std::string& path,
                                   const std::string& user = "") const {
        const auto version = probe_.version(path, user);
        return version ? version->text : version.error().message();
    }

    testing::TemporaryDirectory directory_;
    VersionProbe probe_{directory_ / "kept", kPatience};
};

TEST_F(VersionProbeTest, both_streams_and_the_exit_status_are_told) {
    const auto version = probe_.version(script("echo $1; echo error >&2; exit 3"), "");
    ASSERT_TRUE(version) << version.error().message();
    EXPECT_EQ(version->text, "--version\nerror\n");
    EXPECT_EQ(version->exitStatus, 3);
}

TEST_F(VersionProbeTest, nothing_of_ours_is_inherited) {
    ::setenv("FABRIC_SECRET", "1", 1);
    const std::string told = text(script("env; pwd; ls /proc/$$/fd; cat"));
    EXPECT_THAT(told, Not(HasSubstr("FABRIC_SECRET")));
    EXPECT_THAT(told, HasSubstr("PATH=/usr/bin"));
    EXPECT_THAT(told, HasSubstr("\n/\n"));
    EXPECT_THAT(told, Not(HasSubstr("\n3\n")));
}

TEST_F(VersionProbeTest, it_runs_as_the_given_user) {
    if (::geteuid() != 0) {
        EXPECT_EQ(text(script("id -u"), "nobody"), std::to_string(::geteuid()) + "\n");
        return;
    }
    EXPECT_EQ(text(script("id -u; id -g; grep NoNewPrivs /proc/self/status"), "nobody"),
              "65534\n65534\nNoNewPrivs:\t1\n");
    EXPECT_EQ(text(script("id -u # again"), ""), "0\n");
    EXPECT_THAT(text(script("id -u # no such user"), "no-such-user"),
                HasSubstr("there is no such account"));
}

TEST_F(VersionProbeTest, a_kept_answer_ends_when_a_directory_on_the_way_is_closed) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root runs it as somebody else";
    }
    EXPECT_EQ(text(script("echo told"), "nobody"), "told\n");
    ::chmod((directory_ / "").c_str(), 0700);
    EXPECT_THAT(text(directory_ / "program", "nobody"), HasSubstr("Permission denied"));
}

// Killed: until somebody reaps it, it is a zombie. A busy machine takes its time to
// carry a signal out.
bool isGoneBy(std::chrono::steady_clock::time_point deadline, pid_t child) {
    while (std::chrono::steady_clock::now() < deadline) {
        std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
        std::string state;
        stat >> state >> state >> state;
        if (state.empty() || state == "Z" || state == "X") {
            return true;
        }
        std::this_thread::yield();
    }
    return false;
}

TEST_F(VersionProbeTest, S08_a_program_that_hangs_is_killed_with_its_children) {
    const VersionProbe hasty(directory_ / "kept", std::chrono::milliseconds(300));
    const std::string marker = directory_ / "pid";
    const auto version =
        hasty.version(script("sleep 60 & echo $! > " + marker + "; wait"), "");
    ASSERT_FALSE(version);
    EXPECT_EQ(version.error().kind, ErrorKind::timeout);
    std::ifstream file(marker);
    pid_t child = 0;
    if (file >> child) {
        EXPECT_TRUE(isGoneBy(
            std::chrono::steady_clock::now() + std::chrono::seconds(20), child));
    }
}

// In a process of its own: what is dropped does not come back.
[[noreturn]] void killWithoutCapability(const VersionProbe& probe,
                                        const std::string& program,
                                        const std::string& marker) {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    std::array<__user_cap_data_struct, 2> sets{};
    ::syscall(SYS_capget, &header, sets.data());
    sets[0].effective &= ~(1U << CAP_KILL);
    sets[0].permitted &= ~(1U << CAP_KILL);
    ::syscall(SYS_capset, &header, sets.data());
    ::prctl(PR_CAPBSET_DROP, CAP_KILL, 0, 0, 0);
    const bool ended =
        probe.version(program, "nobody").error().kind == ErrorKind::timeout;
    std::ifstream file(marker);
    pid_t child = 0;
    file >> child;
    const bool alive =
        std::ifstream("/proc/" + std::to_string(child) + "/cmdline").get() > 0;
    ::_exit(ended && child > 0 && !alive && ::geteuid() == 0 ? 0 : 1);
}

TEST_F(VersionProbeTest, S08_a_hanging_program_is_killed_without_the_capability_too) {
    if (::geteuid() != 0) {
        return;  // another user runs nothing as somebody else
    }
    const VersionProbe hasty(directory_ / "kept", std::chrono::milliseconds(1000));
    const std::string marker = directory_ / "pid";
    std::ofstream(marker) << "";
    ::chmod(marker.c_str(), 0666);
    const std::string program = script("echo $$ > " + marker + "; exec sleep 60");
    EXPECT_EXIT(killWithoutCapability(hasty, program, marker),
                ::testing::ExitedWithCode(0),
                "");
}

TEST_F(VersionProbeTest, a_child_that_keeps_the_pipe_open_does_not_hold_the_probe) {
    EXPECT_EQ(text(script("sleep 60 & echo done")), "done\n");
}

TEST_F(VersionProbeTest, a_program_that_closes_its_output_and_stays_is_killed) {
    const VersionProbe hasty(directory_ / "kept", std::chrono::milliseconds(300));
    const auto version =
        hasty.version(script("exec >/dev/null 2>&1; exec sleep 60"), "");
    ASSERT_FALSE(version);
    EXPECT_EQ(version.error().kind, ErrorKind::timeout);
}

TEST_F(VersionProbeTest, endless_output_is_cut_off) {
    const VersionProbe hasty(directory_ / "kept", std::chrono::milliseconds(500));
    EXPECT_FALSE(hasty.version(script("exec yes"), ""));
    const std::string big = text(script("head -c 1000000 /dev/zero | tr '\\0' x"));
    EXPECT_EQ(big.size(), std::size_t{16} << 10U);
}

TEST_F(VersionProbeTest, what_cannot_run_is_told_apart) {
    EXPECT_EQ(probe_.version(directory_ / "missing", "").error().kind,
              ErrorKind::notFound);
    const std::string path = script("true");
    ::chmod(path.c_str(), 0644);
    EXPECT_EQ(probe_.version(path, "").error().kind, ErrorKind::permission);
    EXPECT_EQ(probe_.version(directory_ / "", "").error().kind, ErrorKind::permission);
    std::ofstream(directory_ / "text") << "no program";
    ::chmod((directory_ / "text").c_str(), 0755);
    EXPECT_EQ(probe_.version(directory_ / "text", "").error().sysErrno, ENOEXEC);
    EXPECT_THAT(text(script("kill -SEGV $$")), HasSubstr("signal 11"));
}

TEST_F(VersionProbeTest, the_answer_is_kept_until_the_program_or_the_user_changes) {
    if (::geteuid() != 0) {
        return;  // only root keeps answers
    }
    const std::string runs = directory_ / "runs";
    const auto count = [&] {
        std::ifstream file(runs);
        std::ostringstream all;
        all << file.rdbuf();
        return all.str().size();
    };
    const std::string path = script("printf x >> " + runs + "; echo one");
    EXPECT_EQ(text(path), "one\n");
    EXPECT_EQ(text(path), "one\n");
    EXPECT_EQ(count(), 1U);
    EXPECT_EQ(text(path, "root"), "one\n");
    EXPECT_EQ(count(), 2U);
    EXPECT_EQ(text(script("printf x >> " + runs + "; echo two")), "two\n");
    EXPECT_EQ(count(), 3U);
}

TEST_F(VersionProbeTest, an_answer_that_somebody_else_wrote_is_not_believed) {
    if (::geteuid() != 0) {
        return;  // only root keeps answers
    }
    const std::string path = script("echo true");
    ASSERT_EQ(text(path), "true\n");
    std::string kept = directory_ / "kept/";
    for (const char letter : path) {
        kept += letter == '/' ? '-' : letter;
    }
    std::ifstream file(kept);
    std::string fingerprint;
    ASSERT_TRUE(std::getline(file, fingerprint));
    std::ofstream(kept) << fingerprint << "\n0\nforged\n";
    ASSERT_EQ(text(path), "forged\n");  // the file is believed as it is
    ASSERT_EQ(::chown(kept.c_str(), 65534, 65534), 0);
    EXPECT_EQ(text(path), "true\n");
}

}  // namespace
}  // namespace fabric::linux_host
