// SPDX-License-Identifier: Apache-2.0
#include "resource/module/boot_list.hpp"

#include "fake/fake_files.hpp"
#include "resource/module/modprobe_lines.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::kernel_module {
namespace {

TEST(BootList, comments_blank_lines_and_dashes) {
    EXPECT_EQ(parseBootList("# a\n; b\n\n  ib-core  \nrdma_cm"),
              (std::set<std::string>{"ib_core", "rdma_cm"}));
}

TEST(BootList, what_is_written_reads_back_as_the_same) {
    const std::set<std::string> modules{"ib_core", "mlx5_ib"};
    EXPECT_EQ(parseBootList(renderBootList(modules)), modules);
}

TEST(ModprobeLines, continued_lines_keep_the_number_of_their_first) {
    const auto lines = modprobeLinesOf(
        "# c\ninstall a \\\n  sh -c x\nblacklist b-c\noptions d e=1\n", "/f");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].place(), "/f:2");
    EXPECT_EQ(lines[1].name, "b_c");
    EXPECT_EQ(lines[1].place(), "/f:4");
}

TEST(ModprobeLines, a_file_in_etc_hides_the_one_of_the_same_name_in_lib) {
    fake::FakeFiles files;
    files.addFile("/lib/modprobe.d/a.conf", "blacklist x\n");
    files.addFile("/etc/modprobe.d/a.conf", "\nblacklist x\n");
    files.addFile("/etc/modprobe.d/ignored", "blacklist x\n");
    const auto lines = readModprobeLines(files);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(placeOf(lines, "blacklist", "x"), "/etc/modprobe.d/a.conf:2");
    EXPECT_EQ(placeOf(lines, "install", "x"), "the module tools' configuration");
}

}  // namespace
}  // namespace fabric::resource::kernel_module
