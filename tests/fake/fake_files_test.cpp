// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_host.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::fake {
namespace {

TEST(FakeFiles, links_are_followed_in_the_middle_and_at_the_end) {
    FakeFiles files;
    files.addFile("/sys/devices/pci0000:00/0000:00:01.0/net/ens1/mtu", "1500\n");
    files.addLink("/sys/class/net/ens1",
                  "../../devices/pci0000:00/0000:00:01.0/net/ens1");
    EXPECT_EQ(files.read("/sys/class/net/ens1/mtu", 100).value(), "1500\n");
    EXPECT_EQ(files.resolve("/sys/class/net/ens1").value(),
              "/sys/devices/pci0000:00/0000:00:01.0/net/ens1");
    EXPECT_EQ(files.list("/sys/class/net").value(), std::vector<std::string>{"ens1"});
    EXPECT_EQ(files.list("/sys/class/net/ens1").value(),
              std::vector<std::string>{"mtu"});
}

TEST(FakeFiles, a_loop_of_links_is_eloop) {
    FakeFiles files;
    files.addLink("/a", "b");
    files.addLink("/b", "a");
    EXPECT_EQ(files.read("/a", 10).error().sysErrno, ELOOP);
}

TEST(FakeFiles, every_write_is_recorded_with_its_result) {
    FakeFiles files;
    files.addFile("/sys/one", "0\n");
    files.failWriteAt(2, EIO);
    EXPECT_TRUE(files.writeAttribute("/sys/one", "1"));
    EXPECT_EQ(files.writeAttribute("/sys/one", "2").error().sysErrno, EIO);
    EXPECT_EQ(files.writeAttribute("/sys/two", "3").error().sysErrno, ENOENT);
    ASSERT_EQ(files.writes().size(), 3U);
    EXPECT_EQ(files.writes()[1].sysErrno, EIO);
    EXPECT_EQ(files.content("/sys/one"), "1");
}

TEST(FakeFiles, a_hook_decides_what_a_write_does) {
    FakeFiles files;
    files.addAttribute("/sys/enable", "0\n", [&files](std::string_view text) {
        if (text != "1") {
            return EINVAL;
        }
        files.find("/sys/enable")->content = "1\n";
        return 0;
    });
    EXPECT_EQ(files.writeAttribute("/sys/enable", "7").error().sysErrno, EINVAL);
    EXPECT_TRUE(files.writeAttribute("/sys/enable", "1"));
    EXPECT_EQ(files.content("/sys/enable"), "1\n");
}

TEST(FakeFiles, replacing_refuses_a_link_and_needs_the_directory) {
    FakeFiles files;
    files.addFile("/etc/real", "old");
    files.addLink("/etc/link", "real");
    EXPECT_EQ(files.replaceFile("/etc/link", "new", 0644).error().sysErrno, ELOOP);
    EXPECT_EQ(files.replaceFile("/run/none/file", "new", 0644).error().sysErrno,
              ENOENT);
    EXPECT_TRUE(files.makeDirectory("/etc/sub", 0755));
    EXPECT_TRUE(files.makeDirectory("/etc/sub", 0755));
    EXPECT_TRUE(files.replaceFile("/etc/sub/file", "new", 0600));
    EXPECT_EQ(files.status("/etc/sub/file")->mode, mode_t{0600});
    EXPECT_TRUE(files.removeFile("/etc/sub/file"));
    EXPECT_EQ(files.removeFile("/etc/sub/file").error().kind, ErrorKind::notFound);
}

TEST(FakeFiles, injected_read_errors_and_limits) {
    FakeFiles files;
    files.addFile("/sys/secret", "12345");
    EXPECT_EQ(files.read("/sys/secret", 4).error().sysErrno, EFBIG);
    files.failRead("/sys/secret", EACCES);
    EXPECT_EQ(files.read("/sys/secret", 10).error().kind, ErrorKind::permission);
    files.failRead("/sys/secret", 0);
    EXPECT_TRUE(files.read("/sys/secret", 10));
}

TEST(FakeHost, has_no_dcb_until_it_is_given) {
    FakeHost host;
    const auto answer = host.reader().dcb.get({.link = IfIndex{3}});
    EXPECT_EQ(answer.error().kind, ErrorKind::unsupported);
}

}  // namespace
}  // namespace fabric::fake
