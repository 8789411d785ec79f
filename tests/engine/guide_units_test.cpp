// SPDX-License-Identifier: Apache-2.0
#include "engine/guide_units.hpp"

#include "fake/fake_files.hpp"

#include <gtest/gtest.h>

namespace fabric::engine {
namespace {

TEST(GuideUnits, S16_units_and_sysctl_file_of_the_guide_are_named_with_commands) {
    fake::FakeFiles files;
    files.addFile("/etc/systemd/system/roce-lossless.service", "[Unit]\n");
    files.addFile("/etc/sysctl.d/99-rdma-arp.conf", "\n");
    const auto finding = guideUnits(files);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->id, "legacy.guide-units");
    EXPECT_TRUE(
        finding->fix.contains("systemctl disable roce-lossless.service && "
                              "rm /etc/systemd/system/roce-lossless.service"));
    EXPECT_TRUE(finding->fix.contains("rm /etc/sysctl.d/99-rdma-arp.conf"));
    EXPECT_FALSE(finding->fix.contains("disable-pcie-acs"));
    EXPECT_TRUE(files.writes().empty());
}

TEST(GuideUnits, a_host_without_them_has_no_finding) {
    const fake::FakeFiles files;
    EXPECT_FALSE(guideUnits(files));
}

}  // namespace
}  // namespace fabric::engine
