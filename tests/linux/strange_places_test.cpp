// SPDX-License-Identifier: Apache-2.0
// Somebody else has put a link, another name or himself on the way to a file of ours.
#include "linux/posix_file_writer.hpp"
#include "linux/posix_files.hpp"
#include "linux/run_lock.hpp"
#include "linux/temporary_directory.hpp"
#include "linux/trusted_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>
#include <string>

namespace fabric::linux_host {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uid_t kStranger = 65534;
constexpr mode_t kEverybody = 0777;

class StrangePlaces : public ::testing::Test {
  protected:
    StrangePlaces() {
        tree_.write("etc/conf", "old");
        tree_.write("aside/precious", "precious");
    }

    [[nodiscard]] Result<void> replace(std::string_view name, Way way = Way::trusted) {
        return PosixFileWriter(root_, way).replaceFile(tree_ / name, "new", 0644);
    }

    [[nodiscard]] std::set<std::string> names(std::string_view directory) const {
        const auto listed = PosixFiles(root_).list(tree_ / directory).value();
        return {listed.begin(), listed.end()};
    }

    void mode(std::string_view name, mode_t bits) const {
        ASSERT_EQ(::chmod((tree_ / name).c_str(), bits), 0);
    }

    // Only root can give something away.
    [[nodiscard]] bool giveAway(std::string_view name) const {
        return ::lchown((tree_ / name).c_str(), kStranger, kStranger) == 0;
    }

    testing::TemporaryDirectory tree_;
    RootDirectory root_;
};

TEST_F(StrangePlaces, another_name_of_the_file_keeps_what_it_had) {
    std::filesystem::create_hard_link(tree_ / "aside/precious", tree_ / "etc/hard");
    EXPECT_TRUE(replace("etc/hard"));
    EXPECT_EQ(tree_.content("etc/hard"), "new");
    EXPECT_EQ(tree_.content("aside/precious"), "precious");
}

TEST_F(StrangePlaces, a_directory_that_everybody_can_write_is_refused) {
    mode("etc", kEverybody);
    const auto refused = replace("etc/conf");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::permission);
    EXPECT_THAT(refused.error().message(), HasSubstr("everybody"));
    EXPECT_THAT(refused.error().advice, HasSubstr("namei"));
    EXPECT_EQ(tree_.content("etc/conf"), "old");
    PosixFileWriter writer(root_);
    EXPECT_FALSE(writer.removeFile(tree_ / "etc/conf"));
    EXPECT_FALSE(writer.makeDirectory(tree_ / "etc/made", 0755));
    EXPECT_EQ(names("etc"), std::set<std::string>{"conf"});
    mode("etc", kEverybody | S_ISVTX);
    EXPECT_TRUE(replace("etc/conf"));
}

TEST_F(StrangePlaces, a_directory_further_up_counts_as_well) {
    tree_.write("etc/deep/conf", "old");
    mode("etc", kEverybody);
    EXPECT_FALSE(replace("etc/deep/conf"));
}

TEST_F(StrangePlaces, a_directory_of_a_stranger_is_refused_unless_a_person_named_it) {
    if (!giveAway("etc")) {
        GTEST_SKIP() << "only root can give a directory away";
    }
    const auto refused = replace("etc/conf");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(), HasSubstr("uid 65534"));
    EXPECT_EQ(tree_.content("etc/conf"), "old");
    EXPECT_TRUE(replace("etc/conf", Way::withoutForeignLinks));
}

TEST_F(StrangePlaces, a_link_of_a_stranger_is_never_followed) {
    std::filesystem::create_directory_symlink("aside", tree_.path() / "link");
    EXPECT_TRUE(replace("link/mine"));  // our own
    if (!giveAway("link")) {
        GTEST_SKIP() << "only root can give a link away";
    }
    for (const Way way : {Way::trusted, Way::withoutForeignLinks}) {
        EXPECT_FALSE(replace("link/precious", way));
    }
    EXPECT_EQ(tree_.content("aside/precious"), "precious");
}

TEST_F(StrangePlaces, an_image_is_judged_like_a_host) {
    const RootDirectory image(tree_.path().string());
    PosixFileWriter writer(image);
    std::filesystem::create_directory_symlink("/aside", tree_.path() / "etc/link");
    EXPECT_TRUE(writer.replaceFile("/etc/link/made", "new", 0644));
    EXPECT_EQ(tree_.content("aside/made"), "new");
    mode("etc", kEverybody);
    const auto refused = writer.replaceFile("/etc/conf", "new", 0644);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(), HasSubstr("/etc of the image"));
    EXPECT_THAT(refused.error().message(), HasSubstr("everybody"));
    EXPECT_FALSE(writer.makeDirectory("/etc/made", 0755));
    EXPECT_EQ(tree_.content("etc/conf"), "old");
}

TEST_F(StrangePlaces, an_image_may_belong_to_whoever_builds_it_and_to_nobody_else) {
    const RootDirectory image(tree_.path().string());
    if (!giveAway("etc")) {
        GTEST_SKIP() << "only root can give a directory away";
    }
    EXPECT_FALSE(PosixFileWriter(image).replaceFile("/etc/conf", "new", 0644));
    ASSERT_TRUE(giveAway(""));
    const RootDirectory theirs(tree_.path().string());
    EXPECT_TRUE(PosixFileWriter(theirs).replaceFile("/etc/conf", "new", 0644));
    EXPECT_EQ(tree_.content("etc/conf"), "new");
}

TEST_F(StrangePlaces, what_stands_in_the_place_of_a_directory_is_named_with_a_fix) {
    std::filesystem::create_directory_symlink("/aside", tree_.path() / "etc/link.d");
    PosixFileWriter writer(root_);
    const auto link = writer.makeDirectory(tree_ / "etc/link.d", 0755);
    ASSERT_FALSE(link);
    EXPECT_THAT(link.error().message(), HasSubstr("a symbolic link is in its place"));
    EXPECT_THAT(link.error().advice, HasSubstr("put a directory in its place"));
    const auto file = writer.makeDirectory(tree_ / "etc/conf", 0755);
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().message(), HasSubstr("no directory is in its place"));
}

TEST_F(StrangePlaces, what_a_killed_writer_left_goes_with_the_next) {
    for (const char* name : {"etc/.conf.fabricctl-123",
                             "etc/.run-1.fabricctl-5",
                             "etc/.fabricctl-1",
                             "etc/.notes.fabricctl-x",
                             "etc/conf.fabricctl-1"}) {
        tree_.write(name, "half");
    }
    EXPECT_TRUE(replace("etc/conf"));
    EXPECT_EQ(names("etc"),
              (std::set<std::string>{
                  "conf", ".fabricctl-1", ".notes.fabricctl-x", "conf.fabricctl-1"}));
    tree_.write("etc/.conf.fabricctl-123", "half");
    EXPECT_TRUE(PosixFileWriter(root_).removeFile(tree_ / "etc/conf.fabricctl-1"));
    EXPECT_EQ(names("etc"),
              (std::set<std::string>{"conf", ".fabricctl-1", ".notes.fabricctl-x"}));
}

TEST_F(StrangePlaces, a_temporary_file_whose_writer_lives_stays) {
    tree_.write("etc/.conf.fabricctl-123", "half");
    const UniqueFd held(
        ::open((tree_ / "etc/.conf.fabricctl-123").c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
    EXPECT_TRUE(replace("etc/conf"));
    EXPECT_EQ(names("etc"), (std::set<std::string>{"conf", ".conf.fabricctl-123"}));
}

TEST_F(StrangePlaces, a_lock_with_another_name_is_not_written_through) {
    std::filesystem::create_directory(tree_.path() / "run");
    std::filesystem::create_hard_link(tree_ / "aside/precious", tree_ / "run/lock");
    FileRunLocks locks(tree_ / "run", "apply");
    const auto refused = locks.exclusive(0ms);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::permission);
    EXPECT_EQ(tree_.content("aside/precious"), "precious");
}

TEST_F(StrangePlaces, a_lock_in_a_directory_that_everybody_can_write_is_none) {
    std::filesystem::create_directory(tree_.path() / "run");
    mode("run", kEverybody);
    FileRunLocks locks(tree_ / "run", "apply");
    EXPECT_FALSE(locks.exclusive(0ms));
    EXPECT_EQ(locks.shared(0ms).value(), nullptr);
    EXPECT_THAT(names("run"), IsEmpty());
}

}  // namespace
}  // namespace fabric::linux_host
