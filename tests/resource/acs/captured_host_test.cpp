// SPDX-License-Identifier: Apache-2.0
// What the resource says of real machines (tests/hosts/).
#include "resource/acs/acs_machine.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::acs {
namespace {

using profile::AcsScope;

TEST(CapturedHost, h100_whose_paths_are_clear_is_in_sync) {
    AcsMachine machine("h100-pex890xx");
    const Comparison comparison = machine.look();
    EXPECT_TRUE(comparison.steps.empty());
    EXPECT_TRUE(comparison.findings.empty());
    // Eight root ports, eight GPU ports, eight ConnectX-7 ports, two ConnectX-6 ports.
    EXPECT_EQ(count(comparison, Verdict::inSync), 26U);
    // The eight upstream ports of the switches have no ACS.
    EXPECT_EQ(count(comparison, Verdict::notApplicable), 8U);
    EXPECT_EQ(comparison.assessments.size(), 34U);
}

TEST(CapturedHost, A08_h100_ports_that_lead_to_nvswitches_are_no_drift) {
    AcsMachine machine("h100-pex890xx");
    for (const Assessment& assessment : machine.look().assessments) {
        EXPECT_FALSE(assessment.device.starts_with("0000:82:")) << assessment.device;
        EXPECT_NE(assessment.device, "0000:80:01.0");
        EXPECT_NE(assessment.device, "0000:00:0e.0") << "above the management VGA";
        EXPECT_NE(assessment.device, "0000:00:0c.0") << "above a NIC without RDMA";
    }
}

TEST(CapturedHost, h100_paths_are_the_ports_between_gpu_and_nic) {
    AcsMachine machine("h100-pex890xx");
    machine.acs().scope = AcsScope::paths;
    const Comparison comparison = machine.look();
    EXPECT_EQ(comparison.assessments.size(), 18U);
    EXPECT_EQ(count(comparison, Verdict::inSync), 18U);
    for (const Assessment& assessment : comparison.assessments) {
        EXPECT_NE(assessment.device, "0000:15:01.0");
    }
}

TEST(CapturedHost, h100_by_the_kernel_default_loses_only_the_redirect_bits) {
    AcsMachine machine("h100-pex890xx");
    for (const Assessment& assessment : machine.look().assessments) {
        if (assessment.verdict == Verdict::inSync) {
            hosts::setControl(machine.host, assessment.device, 0x001D);
        }
    }
    EXPECT_EQ(count(machine.look(), Verdict::differs), 26U);
    EXPECT_TRUE(machine.write(machine.look()).empty());
    EXPECT_EQ(machine.host.pci.writes.size(), 26U);
    EXPECT_EQ(count(machine.look(), Verdict::inSync), 26U);
    EXPECT_EQ(hosts::controlOf(machine.host, "0000:15:01.0"), 0x0011);
    EXPECT_EQ(hosts::controlOf(machine.host, "0000:82:00.0"), 0x001D);
}

TEST(CapturedHost, h200_pairs_meet_at_the_switch) {
    AcsMachine machine("h200-pex890xx");
    const Comparison comparison = machine.look();
    EXPECT_EQ(comparison.assessments.size(), 4U);
    EXPECT_EQ(count(comparison, Verdict::notApplicable), 4U);
}

TEST(CapturedHost, A12_h200_guest_sees_root_ports_only_and_is_told) {
    AcsMachine machine("h200-guest");
    machine.platform.guest = true;
    const Comparison comparison = machine.look();
    EXPECT_EQ(count(comparison, Verdict::differs), 16U);
    EXPECT_TRUE(mentions(comparison, "acs.guest"));
    machine.acs().scope = AcsScope::paths;
    EXPECT_TRUE(machine.look().assessments.empty());
    EXPECT_TRUE(mentions(machine.look(), "acs.no-path"));
}

TEST(CapturedHost, amd_starship_bridges_beside_the_gpus_are_not_touched) {
    AcsMachine machine("amd-starship");
    const Comparison comparison = machine.look();
    EXPECT_EQ(comparison.assessments.size(), 2U);
    EXPECT_EQ(count(comparison, Verdict::differs), 2U);
    machine.write(comparison);
    EXPECT_EQ(hosts::controlOf(machine.host, "0000:40:01.1"), 0x0011);
    EXPECT_EQ(hosts::controlOf(machine.host, "0000:00:03.1"), 0x001D);
    EXPECT_EQ(hosts::controlOf(machine.host, "0000:22:01.0"), 0x001D);
}

TEST(CapturedHost, intel_cards_with_switches_of_their_own_are_followed_to_the_root) {
    AcsMachine machine("intel-plx");
    const Comparison comparison = machine.look();
    for (const char* port :
         {"0000:0d:01.0", "0000:0b:00.0", "0000:11:01.0", "0000:0b:10.0"}) {
        EXPECT_EQ(of(comparison, port).wanted, Value("0x0000")) << port;
        EXPECT_EQ(of(comparison, port).verdict, Verdict::differs) << port;
    }
    EXPECT_EQ(count(comparison, Verdict::notApplicable), 4U);
}

TEST(CapturedHost, A07_gb300_domains_are_all_found) {
    AcsMachine machine("gb300-data-direct");
    machine.acs().clear = profile::AcsClear::platform;
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, "0008:00:00.0").verdict, Verdict::differs);
    EXPECT_EQ(of(comparison, "0009:00:00.0").verdict, Verdict::differs);
    EXPECT_EQ(of(comparison, "0002:00:00.0").verdict, Verdict::inSync);
    EXPECT_EQ(comparison.steps.size(), 6U);
}

}  // namespace
}  // namespace fabric::resource::acs
