// SPDX-License-Identifier: Apache-2.0
#include "linux/posix_files.hpp"

#include "linux/posix_file_writer.hpp"
#include "linux/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace fabric::linux_host {
namespace {

using testing::TemporaryDirectory;

class PosixFilesTest : public ::testing::Test {
  protected:
    std::size_t entries(std::string_view directory = "") const {
        return files_.list(tree_ / directory)->size();
    }

    TemporaryDirectory tree_;
    RootDirectory root_;
    PosixFiles files_{root_};
    PosixFileWriter writer_{root_};
};

TEST_F(PosixFilesTest, a_kernel_file_whose_size_lies_is_read_whole) {
    struct stat found{};
    ASSERT_EQ(::stat("/proc/self/status", &found), 0);
    EXPECT_EQ(found.st_size, 0);
    EXPECT_TRUE(files_.read("/proc/self/status")->contains("CapEff:"));
}

TEST_F(PosixFilesTest, reads_are_bounded) {
    tree_.write("ten", "0123456789");
    EXPECT_EQ(files_.read(tree_ / "ten", 10).value(), "0123456789");
    EXPECT_EQ(files_.read(tree_ / "ten", 9).error().sysErrno, EFBIG);
    EXPECT_EQ(files_.read("/dev/zero").error().sysErrno, EFBIG);
}

TEST_F(PosixFilesTest, D26_an_empty_file_is_empty_text_and_no_error) {
    tree_.write("empty", "");
    EXPECT_EQ(files_.read(tree_ / "empty").value(), "");
}

TEST_F(PosixFilesTest, large_content_survives_in_one_piece) {
    const std::string large(100'000, 'x');
    tree_.write("large", large);
    EXPECT_EQ(files_.read(tree_ / "large").value(), large);
}

TEST_F(PosixFilesTest, errors_carry_their_errno) {
    EXPECT_EQ(files_.read(tree_ / "none").error().kind, ErrorKind::notFound);
    EXPECT_EQ(files_.read(tree_.path().string()).error().sysErrno, EISDIR);
    EXPECT_EQ(files_.list(tree_ / "none").error().kind, ErrorKind::notFound);
    EXPECT_EQ(files_.status(tree_ / "none").error().kind, ErrorKind::notFound);
    EXPECT_EQ(files_.readLink(tree_.path().string()).error().sysErrno, EINVAL);
}

TEST_F(PosixFilesTest, a_fifo_does_not_hold_the_reader) {
    ASSERT_EQ(::mkfifo((tree_ / "fifo").c_str(), 0600), 0);
    EXPECT_EQ(files_.read(tree_ / "fifo").value(), "");
}

TEST_F(PosixFilesTest, a_traced_file_tells_the_way_that_was_taken) {
    tree_.write("data/v1/profile.yaml", "text");
    std::filesystem::create_symlink("v1", tree_.path() / "data/now");
    std::filesystem::create_symlink(tree_ / "data/now/profile.yaml",
                                    tree_.path() / "profile.yaml");
    const auto traced = files_.readTraced(tree_ / "profile.yaml");
    ASSERT_TRUE(traced) << traced.error().message();
    EXPECT_EQ(traced->text, "text");
    EXPECT_EQ(traced->status.inode,
              files_.status(tree_ / "data/v1/profile.yaml")->inode);
    std::vector<std::string> passed;
    for (const host::PathStep& step : traced->way) {
        passed.push_back(step.path);
    }
    const std::vector<std::string> tail{tree_ / "profile.yaml",
                                        "/",
                                        tree_ / "data",
                                        tree_ / "data/now",
                                        tree_ / "data/v1"};
    EXPECT_EQ(passed.front(), "/");
    for (const std::string& step : tail) {
        EXPECT_NE(std::ranges::find(passed, step), passed.end()) << step;
    }
}

TEST_F(PosixFilesTest, a_traced_file_is_a_regular_file) {
    ASSERT_EQ(::mkfifo((tree_ / "fifo").c_str(), 0600), 0);
    std::filesystem::create_symlink("self", tree_.path() / "self");
    tree_.write("file", "0123456789");
    EXPECT_EQ(files_.readTraced(tree_ / "fifo").error().sysErrno, EINVAL);
    EXPECT_EQ(files_.readTraced("/dev/zero").error().sysErrno, EINVAL);
    EXPECT_EQ(files_.readTraced(tree_.path().string()).error().sysErrno, EISDIR);
    EXPECT_EQ(files_.readTraced(tree_ / "self").error().sysErrno, ELOOP);
    EXPECT_EQ(files_.readTraced(tree_ / "file/below").error().sysErrno, ENOTDIR);
    EXPECT_EQ(files_.readTraced(tree_ / "none").error().kind, ErrorKind::notFound);
    EXPECT_EQ(files_.readTraced(tree_ / "file", 9).error().sysErrno, EFBIG);
}

TEST_F(PosixFilesTest, a_traced_path_does_not_leave_another_root) {
    tree_.write("etc/profile.yaml", "inside");
    std::filesystem::create_symlink("/etc/profile.yaml", tree_.path() / "link");
    const RootDirectory image(tree_.path().string());
    const PosixFiles files(image);
    EXPECT_EQ(files.readTraced("/link")->text, "inside");
    EXPECT_EQ(files.readTraced("/../../etc/profile.yaml")->text, "inside");
}

TEST_F(PosixFilesTest, names_are_sorted_and_without_dots) {
    tree_.write("b", "");
    tree_.write("a", "");
    tree_.write(".hidden", "");
    EXPECT_EQ(files_.list(tree_.path().string()).value(),
              (std::vector<std::string>{".hidden", "a", "b"}));
}

TEST_F(PosixFilesTest, links_are_read_and_resolved) {
    tree_.write("devices/0000:00:01.0/vendor", "0x8086\n");
    std::filesystem::create_symlink("devices/0000:00:01.0", tree_.path() / "link");
    EXPECT_EQ(files_.readLink(tree_ / "link").value(), "devices/0000:00:01.0");
    EXPECT_EQ(files_.resolve(tree_ / "link/vendor").value(),
              tree_ / "devices/0000:00:01.0/vendor");
}

TEST_F(PosixFilesTest, status_says_type_mode_and_identity) {
    tree_.write("file", "12345");
    ASSERT_EQ(::chmod((tree_ / "file").c_str(), 0640), 0);
    std::filesystem::create_symlink("file", tree_.path() / "link");
    const host::FileStatus status = files_.status(tree_ / "link").value();
    EXPECT_EQ(status.type, host::FileStatus::Type::regular);
    EXPECT_EQ(status.mode, mode_t{0640});
    EXPECT_EQ(status.size, 5U);
    EXPECT_EQ(status.owner, ::geteuid());
    EXPECT_EQ(status.inode, files_.status(tree_ / "file")->inode);
    EXPECT_GT(status.mtimeNs, 0);
}

TEST_F(PosixFilesTest, an_attribute_is_written_but_never_created) {
    tree_.write("attribute", "a longer old value");
    EXPECT_TRUE(writer_.writeAttribute(tree_ / "attribute", "1"));
    EXPECT_EQ(tree_.content("attribute"), "1");
    EXPECT_EQ(writer_.writeAttribute(tree_ / "none", "1").error().kind,
              ErrorKind::notFound);
    EXPECT_EQ(entries(), 1U);
}

TEST_F(PosixFilesTest, an_attribute_outside_sys_and_proc_is_not_reached_by_a_link) {
    tree_.write("real", "0");
    std::filesystem::create_symlink("real", tree_.path() / "link");
    EXPECT_EQ(writer_.writeAttribute(tree_ / "link", "1").error().sysErrno, ELOOP);
    EXPECT_EQ(tree_.content("real"), "0");
}

TEST_F(PosixFilesTest, a_refusal_of_the_kernel_carries_its_errno) {
    EXPECT_EQ(writer_.writeAttribute("/dev/full", "1").error().sysErrno, ENOSPC);
}

TEST_F(PosixFilesTest, a_file_is_replaced_with_exactly_this_mode) {
    tree_.write("conf", "old");
    const auto before = files_.status(tree_ / "conf")->inode;
    EXPECT_TRUE(writer_.replaceFile(tree_ / "conf", "new", 0644));
    EXPECT_EQ(tree_.content("conf"), "new");
    EXPECT_EQ(files_.status(tree_ / "conf")->mode, mode_t{0644});
    EXPECT_NE(files_.status(tree_ / "conf")->inode, before);
    EXPECT_EQ(entries(), 1U);
}

TEST_F(PosixFilesTest, replacing_refuses_links_and_directories_and_leaves_nothing) {
    tree_.write("real", "old");
    std::filesystem::create_symlink("real", tree_.path() / "link");
    std::filesystem::create_directory(tree_.path() / "directory");
    EXPECT_EQ(writer_.replaceFile(tree_ / "link", "new", 0644).error().sysErrno, ELOOP);
    EXPECT_EQ(writer_.replaceFile(tree_ / "directory", "new", 0644).error().sysErrno,
              EISDIR);
    EXPECT_NE(writer_.replaceFile(tree_ / "link", "new", 0644).error().advice, "");
    EXPECT_NE(writer_.replaceFile(tree_ / "directory", "new", 0644).error().advice, "");
    EXPECT_EQ(writer_.replaceFile(tree_ / "none/conf", "new", 0644).error().kind,
              ErrorKind::notFound);
    EXPECT_EQ(tree_.content("real"), "old");
    EXPECT_EQ(entries(), 3U);
}

// A file size limit makes write(2) fail in the middle of the temporary file.
TEST_F(PosixFilesTest, a_failed_replacement_keeps_the_old_file_and_no_temporary) {
    tree_.write("conf", "old");
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{.rlim_cur = 4096, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    const auto replaced =
        writer_.replaceFile(tree_ / "conf", std::string(10'000, 'x'), 0644);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)std::signal(SIGXFSZ, handler);
    EXPECT_EQ(replaced.error().sysErrno, EFBIG);
    EXPECT_EQ(tree_.content("conf"), "old");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(PosixFilesTest, directories_are_made_once_and_files_removed) {
    EXPECT_TRUE(writer_.makeDirectory(tree_ / "made", 0755));
    EXPECT_TRUE(writer_.makeDirectory(tree_ / "made", 0755));
    tree_.write("file", "");
    EXPECT_EQ(writer_.makeDirectory(tree_ / "file", 0755).error().sysErrno, EEXIST);
    EXPECT_EQ(writer_.makeDirectory(tree_ / "a/b", 0755).error().kind,
              ErrorKind::notFound);
    EXPECT_TRUE(writer_.removeFile(tree_ / "file"));
    EXPECT_EQ(writer_.removeFile(tree_ / "file").error().kind, ErrorKind::notFound);
    EXPECT_EQ(writer_.removeFile(tree_ / "made").error().sysErrno, EISDIR);
}

TEST_F(PosixFilesTest, whoever_makes_sure_of_a_directory_clears_what_the_killed_left) {
    tree_.write("made/.confirm.json.fabricctl-1701567649", "half");
    tree_.write("made/.confirm.json.fabricctl-x", "somebody else's");
    tree_.write("made/confirm.json", "whole");
    ASSERT_TRUE(writer_.makeDirectory(tree_ / "made", 0755));
    EXPECT_FALSE(
        std::filesystem::exists(tree_ / "made/.confirm.json.fabricctl-1701567649"));
    EXPECT_EQ(tree_.content("made/.confirm.json.fabricctl-x"), "somebody else's");
    EXPECT_EQ(tree_.content("made/confirm.json"), "whole");
}

TEST_F(PosixFilesTest, removing_a_link_leaves_its_target) {
    tree_.write("real", "old");
    std::filesystem::create_symlink("real", tree_.path() / "link");
    EXPECT_TRUE(writer_.removeFile(tree_ / "link"));
    EXPECT_EQ(tree_.content("real"), "old");
}

TEST_F(PosixFilesTest, writers_do_not_climb) {
    tree_.write("sub/file", "old");
    const std::string climbing = tree_ / "sub/../sub/file";
    EXPECT_EQ(writer_.replaceFile(climbing, "new", 0644).error().sysErrno, EINVAL);
    EXPECT_EQ(writer_.writeAttribute(climbing, "new").error().sysErrno, EINVAL);
    EXPECT_EQ(writer_.removeFile(climbing).error().sysErrno, EINVAL);
    EXPECT_EQ(writer_.makeDirectory(tree_ / "sub/..", 0755).error().sysErrno, EINVAL);
}

class RootedFilesTest : public ::testing::Test {
  protected:
    void SetUp() override {
        tree_.write("image/etc/real", "inside");
        tree_.write("outside", "secret");
        std::filesystem::create_symlink("/etc/real",
                                        tree_.path() / "image/etc/absolute");
        std::filesystem::create_symlink("../../outside",
                                        tree_.path() / "image/etc/climbing");
        if (const auto probe = files_.read("/etc/real");
            !probe && probe.error().sysErrno == ENOSYS) {
            GTEST_SKIP() << "openat2(2) is not available here";
        }
    }

    TemporaryDirectory tree_;
    RootDirectory root_{tree_ / "image"};
    PosixFiles files_{root_};
    PosixFileWriter writer_{root_};
};

TEST_F(RootedFilesTest, absolute_links_stay_inside) {
    EXPECT_EQ(files_.read("/etc/absolute").value(), "inside");
    EXPECT_EQ(files_.resolve("/etc/absolute").value(), "/etc/real");
    EXPECT_EQ(files_.readLink("/etc/absolute").value(), "/etc/real");
    EXPECT_EQ(files_.status("/etc/absolute")->size, 6U);
    EXPECT_EQ(files_.resolve("/").value(), "/");
}

TEST_F(RootedFilesTest, climbing_links_stay_inside) {
    EXPECT_EQ(files_.read("/etc/climbing").error().kind, ErrorKind::notFound);
    EXPECT_EQ(files_.read("/../outside").error().kind, ErrorKind::notFound);
}

TEST_F(RootedFilesTest, writes_stay_inside) {
    EXPECT_TRUE(writer_.replaceFile("/etc/new", "text", 0644));
    EXPECT_EQ(tree_.content("image/etc/new"), "text");
    EXPECT_TRUE(writer_.makeDirectory("/etc/sub", 0755));
    EXPECT_TRUE(writer_.removeFile("/etc/new"));
    EXPECT_EQ(tree_.content("outside"), "secret");
}

TEST(RootedFiles, a_root_that_does_not_exist_is_an_error) {
    const RootDirectory root("/does/not/exist");
    EXPECT_EQ(PosixFiles(root).read("/etc/x").error().kind, ErrorKind::notFound);
}

}  // namespace
}  // namespace fabric::linux_host
