// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/boot_value.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::arp {
namespace {

using host::Ipv4Key;

BootValue bootOf(const std::string& text) {
    const std::vector<SysctlFile> files{{"/etc/sysctl.d/a.conf", text}};
    return bootValueOf(
        SysctlMerge(SysctlProgram::systemd, files), "r0", Ipv4Key::arpIgnore);
}

TEST(ArpBootValue, numbers_are_read_as_the_kernel_reads_them) {
    EXPECT_EQ(sysctlNumber("1"), 1);
    EXPECT_EQ(sysctlNumber("-1"), -1);
    EXPECT_EQ(sysctlNumber("0x2"), 2);
    EXPECT_EQ(sysctlNumber("1 # a comment"), 1);
    EXPECT_EQ(sysctlNumber(""), std::nullopt);
    EXPECT_EQ(sysctlNumber("one"), std::nullopt);
    EXPECT_EQ(sysctlNumber("1x"), std::nullopt);
    EXPECT_EQ(sysctlNumber("4294967296"), std::nullopt);
}

TEST(ArpBootValue, H01_conf_all_of_a_file_takes_part) {
    const BootValue boot = bootOf(
        "net.ipv4.conf.r0.arp_ignore=1\n"
        "net.ipv4.conf.all.arp_ignore=4\n");
    EXPECT_EQ(boot.reading.effective, 4);
    ASSERT_TRUE(boot.decider.has_value());
    EXPECT_EQ(boot.decider->number, 2U);
}

TEST(ArpBootValue, an_interface_that_no_file_names_is_born_with_the_default) {
    EXPECT_EQ(bootOf("").reading.effective, 0);
    EXPECT_EQ(bootOf("net.ipv4.conf.default.arp_ignore=2").reading.own, 2);
    EXPECT_EQ(bootOf("net.ipv4.conf.*.arp_ignore=2\n-net.ipv4.conf.r0.arp_ignore\n"
                     "-net.ipv4.conf.all.arp_ignore")
                  .reading.own,
              2);
}

}  // namespace
}  // namespace fabric::resource::arp
