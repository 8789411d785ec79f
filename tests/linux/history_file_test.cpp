// SPDX-License-Identifier: Apache-2.0
#include "linux/history_file.hpp"

#include "linux/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace fabric::linux_host {
namespace {

using ::testing::HasSubstr;

class HistoryFileTest : public ::testing::Test {
  protected:
    [[nodiscard]] std::string kept() const {
        return directory_.content("state/history.jsonl");
    }

    testing::TemporaryDirectory directory_;
    HistoryFile file_{directory_ / "state"};
};

TEST_F(HistoryFileTest, lines_are_added_behind_those_of_earlier_runs) {
    ASSERT_TRUE(file_.append("one"));
    ASSERT_TRUE(file_.sync());
    HistoryFile later(directory_ / "state");
    ASSERT_TRUE(later.append("two"));
    EXPECT_EQ(kept(), "one\ntwo\n");
}

TEST_F(HistoryFileTest, nobody_else_reads_who_changed_what) {
    ASSERT_TRUE(file_.append("one"));
    struct stat found{};
    ASSERT_EQ(::stat((directory_ / "state/history.jsonl").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST_F(HistoryFileTest, a_torn_line_of_a_crash_ends_before_the_next_begins) {
    directory_.write("state/history.jsonl", "one\ntor");
    ASSERT_TRUE(file_.append("two"));
    EXPECT_EQ(kept(), "one\ntor\ntwo\n");
}

TEST_F(HistoryFileTest, what_would_grow_too_large_is_put_aside) {
    HistoryFile small(directory_ / "state", 10);
    for (const char* line : {"1234", "5678", "abcd", "efgh", "ijkl"}) {
        ASSERT_TRUE(small.append(line));
    }
    EXPECT_EQ(kept(), "ijkl\n");
    EXPECT_EQ(directory_.content("state/history.jsonl.1"), "abcd\nefgh\n");
}

TEST_F(HistoryFileTest, a_line_longer_than_the_limit_is_still_told) {
    HistoryFile small(directory_ / "state", 10);
    ASSERT_TRUE(small.append("123456789012345"));
    ASSERT_TRUE(small.append("next"));
    EXPECT_EQ(kept(), "next\n");
    EXPECT_EQ(directory_.content("state/history.jsonl.1"), "123456789012345\n");
}

TEST_F(HistoryFileTest, a_link_in_its_place_is_not_followed) {
    directory_.write("state/other", "precious");
    std::filesystem::create_symlink("other", directory_ / "state/history.jsonl");
    const auto refused = file_.append("one");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().sysErrno, ELOOP);
    EXPECT_EQ(directory_.content("state/other"), "precious");
}

TEST_F(HistoryFileTest, a_file_with_a_second_name_is_not_written) {
    directory_.write("state/other", "precious");
    std::filesystem::create_hard_link(directory_ / "state/other",
                                      directory_ / "state/history.jsonl");
    const auto refused = file_.append("one");
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().detail, HasSubstr("another name"));
    EXPECT_EQ(directory_.content("state/other"), "precious");
}

TEST_F(HistoryFileTest, a_fifo_does_not_hold_the_run) {
    directory_.write("state/other", "");
    ASSERT_EQ(::mkfifo((directory_ / "state/history.jsonl").c_str(), 0600), 0);
    EXPECT_FALSE(file_.append("one").has_value());
}

TEST_F(HistoryFileTest, a_file_or_directory_that_others_may_write_is_refused) {
    directory_.write("state/history.jsonl", "");
    ASSERT_EQ(::chmod((directory_ / "state/history.jsonl").c_str(), 0622), 0);
    EXPECT_THAT(file_.append("one").error().detail, HasSubstr("others may write"));
    ASSERT_EQ(::chmod((directory_ / "state/history.jsonl").c_str(), 0600), 0);
    ASSERT_EQ(::chmod((directory_ / "state").c_str(), 0777), 0);
    HistoryFile again(directory_ / "state");
    EXPECT_THAT(again.append("one").error().detail, HasSubstr("others may write"));
}

TEST_F(HistoryFileTest, a_link_in_the_place_of_its_directory_is_not_followed) {
    directory_.write("elsewhere/other", "");
    std::filesystem::create_directory_symlink(directory_ / "elsewhere",
                                              directory_ / "state");
    EXPECT_THAT(file_.append("one").error().detail, HasSubstr("a link"));
    EXPECT_FALSE(std::filesystem::exists(directory_ / "elsewhere/history.jsonl"));
}

}  // namespace
}  // namespace fabric::linux_host
