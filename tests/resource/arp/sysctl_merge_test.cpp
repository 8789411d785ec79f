// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/sysctl_merge.hpp"

#include "fake/fake_files.hpp"
#include "resource/arp/persistent_file.hpp"
#include "resource/arp/sysctl_files.hpp"

#include <gtest/gtest.h>

#include <cerrno>

// Each expectation about a merge was seen with systemd-sysctl 252 and sysctl 4.0.2 in a
// namespace with an interface r0.
namespace fabric::resource::arp {
namespace {

constexpr const char* kKey = "net/ipv4/conf/r0/arp_ignore";
constexpr const char* kNobody = "-";

struct Case {
    std::string first;
    std::string second;
    std::string systemd;
    std::string procps;
};

std::string valueOf(const std::optional<SysctlLine>& winner) {
    return winner && winner->value ? *winner->value : kNobody;
}

std::string merged(SysctlProgram program,
                   const std::string& first,
                   const std::string& second) {
    const std::vector<SysctlFile> files{{"/etc/sysctl.d/10.conf", first},
                                        {"/etc/sysctl.d/20.conf", second}};
    return valueOf(SysctlMerge(program, files).winner(kKey));
}

TEST(SysctlMerge, H04_the_later_file_the_exact_key_and_exclusions) {
    const std::vector<Case> cases{
        {"net.ipv4.conf.r0.arp_ignore = 1", "net.ipv4.conf.r0.arp_ignore=2", "2", "2"},
        {"net.ipv4.conf.r0.arp_ignore = 1", "net.ipv4.conf.*.arp_ignore = 2", "1", "1"},
        {"net.ipv4.conf.*.arp_ignore = 2", "net.ipv4.conf.r0.arp_ignore = 1", "1", "1"},
        {"net.ipv4.conf.*.arp_ignore = 2", "net.ipv4.conf.r*.arp_ignore = 1", "1", "1"},
        {"net.ipv4.conf.*.arp_ignore = 2", "-net.ipv4.conf.r0.arp_ignore", "-", "-"},
        {"net.ipv4.conf.r0.arp_ignore = 1", "-net.ipv4.conf.r0.arp_ignore", "-", "1"},
        {"-net.ipv4.conf.r0.arp_ignore", "net.ipv4.conf.*.arp_ignore=2", "-", "-"},
        {"-net.ipv4.conf.r0.arp_ignore", "net.ipv4.conf.r0.arp_ignore=2", "2", "2"},
    };
    for (const Case& one : cases) {
        EXPECT_EQ(merged(SysctlProgram::systemd, one.first, one.second), one.systemd)
            << one.first << " then " << one.second;
        EXPECT_EQ(merged(SysctlProgram::procps, one.first, one.second), one.procps)
            << one.first << " then " << one.second;
    }
}

TEST(SysctlMerge, lines_are_read_as_both_programs_read_them) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"net/ipv4/conf/r0/arp_ignore=1", "1"},
        {"/net/ipv4/conf/r0/arp_ignore=1", "1"},
        {"   - net.ipv4.conf.r0.arp_ignore = 1", "1"},
        {"  -net.ipv4.conf.r0.arp_ignore = 1  ", "1"},
        {"net//ipv4/conf/r0/arp_ignore = 1", "1"},
        {"net.ipv4.conf.[rs]?.arp_ignore = 1", "1"},
        {"net.ipv4.*.r0.arp_ignore = 1", "1"},
        {"net.ipv4.conf.r0.arp_ignore = 1\nnet.ipv4.conf.r0.arp_ignore = 2", "2"},
        {"net.ipv4.conf.r0.arp_ignore 1", kNobody},
        {"# net.ipv4.conf.r0.arp_ignore = 1", kNobody},
        {"; net.ipv4.conf.r0.arp_ignore = 1", kNobody},
        {"net/ipv4/*/arp_ignore=5", kNobody},
        {"*.arp_ignore=5", kNobody},
        {"net/ipv4/conf/r\\*/arp_ignore=2", kNobody},
        {"/proc/sys/net/ipv4/conf/r0/arp_ignore=2", kNobody},
        {"", kNobody},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(merged(SysctlProgram::systemd, text, ""), expected) << text;
        EXPECT_EQ(merged(SysctlProgram::procps, text, ""), expected) << text;
    }
}

TEST(SysctlMerge, H05_a_dotted_name_is_only_met_by_the_right_spelling) {
    EXPECT_EQ(slashSpelling("net.ipv4.conf.v0/100.arp_ignore"),
              "net/ipv4/conf/v0.100/arp_ignore");
    EXPECT_EQ(slashSpelling("net/ipv4/conf/v0.100/arp_ignore"),
              "net/ipv4/conf/v0.100/arp_ignore");
    // The usual mistake: it names a key that does not exist.
    EXPECT_EQ(slashSpelling("net.ipv4.conf.v0.100.arp_ignore"),
              "net/ipv4/conf/v0/100/arp_ignore");
}

TEST(SysctlMerge, the_winner_is_named_with_its_line) {
    const std::vector<SysctlFile> files{
        {"/etc/sysctl.d/99-zzz.conf", "# x\n\nnet.ipv4.conf.r0.arp_ignore = 0\n"}};
    const auto winner = SysctlMerge(SysctlProgram::systemd, files).winner(kKey);
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->place(), "/etc/sysctl.d/99-zzz.conf, line 3");
}

class SysctlFilesTest : public ::testing::Test {
  protected:
    [[nodiscard]] SysctlFiles read() const { return readSysctlFiles(files).value(); }

    [[nodiscard]] std::vector<std::string> paths() const {
        std::vector<std::string> all;
        for (const SysctlFile& file : read().inOrder) {
            all.push_back(file.path);
        }
        return all;
    }

    fake::FakeFiles files;
};

TEST_F(SysctlFilesTest, H04_order_is_by_file_name_and_etc_masks_run_masks_usr) {
    files.addFile("/etc/sysctl.d/99-rdma-arp.conf");
    files.addFile("/etc/sysctl.d/50-x.conf");
    files.addFile("/run/sysctl.d/50-x.conf");
    files.addFile("/run/sysctl.d/60-y.conf");
    files.addFile("/usr/lib/sysctl.d/60-y.conf");
    files.addFile("/usr/local/lib/sysctl.d/70-z.conf");
    files.addFile("/usr/lib/sysctl.d/10-a.conf");
    files.addFile("/etc/sysctl.conf");
    files.addLink("/etc/sysctl.d/99-sysctl.conf", "../sysctl.conf");
    files.addFile("/etc/sysctl.d/README");
    files.addFile("/etc/sysctl.d/.hidden.conf");
    files.addFile("/etc/sysctl.d/10-b.conf.dpkg-old");
    EXPECT_EQ(paths(),
              (std::vector<std::string>{"/usr/lib/sysctl.d/10-a.conf",
                                        "/etc/sysctl.d/50-x.conf",
                                        "/run/sysctl.d/60-y.conf",
                                        "/usr/local/lib/sysctl.d/70-z.conf",
                                        "/etc/sysctl.d/99-rdma-arp.conf",
                                        "/etc/sysctl.d/99-sysctl.conf"}));
    EXPECT_TRUE(read().classic.has_value());
}

TEST_F(SysctlFilesTest, a_link_to_dev_null_masks) {
    files.addFile("/dev/null");
    files.addLink("/etc/sysctl.d/50-x.conf", "/dev/null");
    files.addFile("/usr/lib/sysctl.d/50-x.conf", std::string(kKey) + "=4");
    EXPECT_FALSE(read().merged(SysctlProgram::systemd).winner(kKey).has_value());
}

TEST_F(SysctlFilesTest, no_directory_at_all_is_no_error) {
    const SysctlFiles none = read();
    EXPECT_TRUE(none.inOrder.empty());
    EXPECT_TRUE(none.directoryMissing);
    EXPECT_FALSE(none.classic.has_value());
    EXPECT_FALSE(none.ours().has_value());
}

TEST_F(SysctlFilesTest, a_dangling_link_and_a_directory_say_nothing) {
    files.addLink("/etc/sysctl.d/10-gone.conf", "/nowhere");
    files.addDirectory("/etc/sysctl.d/20-directory.conf");
    EXPECT_TRUE(paths().empty());
}

TEST_F(SysctlFilesTest, a_file_that_cannot_be_read_is_not_passed_over) {
    files.addFile("/etc/sysctl.d/10-secret.conf");
    files.failRead("/etc/sysctl.d/10-secret.conf", EACCES);
    EXPECT_EQ(readSysctlFiles(files).error().sysErrno, EACCES);
    files.failRead("/etc/sysctl.d", EIO);
    EXPECT_EQ(readSysctlFiles(files).error().sysErrno, EIO);
}

TEST_F(SysctlFilesTest, our_text_takes_its_place_among_the_others) {
    files.addFile("/etc/sysctl.d/99-sysctl.conf", std::string(kKey) + "=0");
    files.addFile("/usr/lib/sysctl.d/99-zz-fabricctl.conf", std::string(kKey) + "=3");
    EXPECT_FALSE(read().ours().has_value());
    const SysctlFiles with = read().withOurs(std::string(kKey) + "=1");
    EXPECT_EQ(with.inOrder.size(), 2U);
    EXPECT_EQ(with.ours(), std::string(kKey) + "=1");
    EXPECT_EQ(valueOf(with.merged(SysctlProgram::systemd).winner(kKey)), "1");
    const SysctlFiles alone = SysctlFiles{}.withOurs(std::string(kKey) + "=1");
    EXPECT_EQ(valueOf(alone.merged(SysctlProgram::systemd).winner(kKey)), "1");
}

TEST(PersistentFile, H05_what_is_written_is_met_by_exactly_its_interface) {
    for (const std::string name :
         {"v0.100", "r*x", "a?b", "c[d]e", "f-1", "g\\h", "i#j"}) {
        const std::vector<SysctlFile> files{{"/etc/sysctl.d/99-zz-fabricctl.conf",
                                             render({{name, {{"arp_ignore", "1"}}}})}};
        for (const SysctlProgram program :
             {SysctlProgram::systemd, SysctlProgram::procps}) {
            const SysctlMerge merge(program, files);
            EXPECT_EQ(valueOf(merge.winner("net/ipv4/conf/" + name + "/arp_ignore")),
                      "1")
                << name;
            EXPECT_EQ(valueOf(merge.winner("net/ipv4/conf/rax/arp_ignore")), kNobody);
            EXPECT_EQ(valueOf(merge.winner("net/ipv4/conf/aab/arp_ignore")), kNobody);
        }
        EXPECT_TRUE(parseStanzas(files[0].text).contains(name)) << name;
    }
}

TEST(PersistentFile, a_name_that_no_line_can_carry_is_said) {
    EXPECT_FALSE(fileKey("a=b", "arp_ignore").has_value());
    EXPECT_FALSE(fileKey("a\\*b", "arp_ignore").has_value());
    EXPECT_FALSE(render({{"a=b", {{"arp_ignore", "1"}}}}).contains("arp_ignore"));
}

TEST(PersistentFile, rendering_what_was_parsed_changes_nothing) {
    const std::string text =
        render({{"ens1", {{"arp_ignore", "1"}, {"rp_filter", "2"}}},
                {"v0.100", {{"arp_announce", "2"}}}});
    EXPECT_EQ(render(parseStanzas(text)), text);
}

}  // namespace
}  // namespace fabric::resource::arp
