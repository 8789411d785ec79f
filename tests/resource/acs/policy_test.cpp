// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/acs_machine.hpp"
#include "resource/acs/hazard.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::acs {
namespace {

using profile::AcsClear;
using profile::Consent;

// One GPU and NIC pair below one switch whose two ports hold the kernel's 001d.
constexpr const char* kGpuPort = "0000:17:01.0";
constexpr const char* kNicPort = "0000:17:02.0";
constexpr const char* kGpu = "0000:19:00.0";
constexpr const char* kNic = "0000:1a:00.0";
constexpr const char* kRootPort = "0000:15:01.0";
constexpr const char* kOtherRootPort = "0000:37:01.0";

struct Pair : AcsMachine {
    Pair() : AcsMachine("h100-pex890xx") {
        for (const char* port : {kRootPort, kGpuPort, kNicPort, kOtherRootPort}) {
            hosts::setControl(host, port, 0x001D);
        }
    }

    void group(const char* function, int number, const std::string& type) {
        at(function).info.iommuGroup = number;
        if (!type.empty()) {
            host.files.addFile(
                "/sys/kernel/iommu_groups/" + std::to_string(number) + "/type",
                type + "\n");
        }
    }
};

TEST(AcsPolicy, A12_a_translating_iommu_refuses_the_ports_above_it_only) {
    for (const char* type : {"DMA", "DMA-FQ"}) {
        Pair machine;
        machine.group(kGpu, 7, type);
        const Comparison comparison = machine.look();
        EXPECT_EQ(of(comparison, kGpuPort).verdict, Verdict::failed);
        EXPECT_EQ(of(comparison, kRootPort).verdict, Verdict::failed);
        EXPECT_NE(of(comparison, kGpuPort).reason.find("IOMMU group 7"),
                  std::string::npos);
        EXPECT_NE(of(comparison, kGpuPort).fix.find("on-translating-iommu"),
                  std::string::npos);
        EXPECT_EQ(of(comparison, kNicPort).verdict, Verdict::differs);
        EXPECT_EQ(of(comparison, kOtherRootPort).verdict, Verdict::differs);
    }
}

TEST(AcsPolicy, A12_an_identity_domain_is_no_hazard) {
    Pair machine;
    machine.group(kGpu, 7, "identity");
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, kGpuPort).verdict, Verdict::differs);
    EXPECT_FALSE(mentions(comparison, "acs.translating-iommu"));
}

TEST(AcsPolicy, A12_a_group_whose_type_cannot_be_read_is_not_taken_for_identity) {
    Pair machine;
    machine.group(kGpu, 7, "");
    EXPECT_EQ(of(machine.look(), kGpuPort).verdict, Verdict::failed);
}

TEST(AcsPolicy, A12_consent_to_a_translating_iommu_is_obeyed_and_warn_says_so) {
    Pair machine;
    machine.group(kGpu, 7, "DMA");
    machine.acs().onTranslatingIommu = Consent::warn;
    EXPECT_EQ(of(machine.look(), kGpuPort).verdict, Verdict::differs);
    EXPECT_TRUE(mentions(machine.look(), "acs.translating-iommu"));
    machine.acs().onTranslatingIommu = Consent::proceed;
    EXPECT_EQ(of(machine.look(), kGpuPort).verdict, Verdict::differs);
    EXPECT_FALSE(mentions(machine.look(), "acs.translating-iommu"));
}

TEST(AcsPolicy, A12_a_device_handed_to_a_guest_refuses_the_ports_above_it) {
    for (const char* driver : {"vfio-pci", "pci-stub", "mlx5_vfio_pci", "pciback"}) {
        Pair machine;
        machine.at("0000:18:00.0").info.driver =
            driver;  // a disk below the same switch
        const Comparison comparison = machine.look();
        EXPECT_EQ(of(comparison, kRootPort).verdict, Verdict::failed) << driver;
        EXPECT_NE(of(comparison, kRootPort).reason.find(driver), std::string::npos);
        EXPECT_EQ(of(comparison, kGpuPort).verdict, Verdict::differs);
    }
}

TEST(AcsPolicy, A12_consent_to_passthrough_is_obeyed_and_warn_says_so) {
    Pair machine;
    machine.at(kGpu).info.driver = "vfio-pci";
    machine.acs().onPassthrough = Consent::warn;
    EXPECT_EQ(of(machine.look(), kGpuPort).verdict, Verdict::differs);
    EXPECT_TRUE(mentions(machine.look(), "acs.passthrough"));
    machine.acs().onPassthrough = Consent::proceed;
    EXPECT_FALSE(mentions(machine.look(), "acs.passthrough"));
}

TEST(AcsPolicy, A12_bits_that_are_off_already_beside_a_hazard_are_a_finding) {
    Pair machine;
    hosts::setControl(machine.host, kGpuPort, 0);
    machine.group(kGpu, 7, "DMA");
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, kGpuPort).verdict, Verdict::inSync);
    EXPECT_TRUE(mentions(comparison, "acs.translating-iommu"));
}

TEST(AcsPolicy, A12_a_guest_is_written_with_a_finding_by_default) {
    Pair machine;
    machine.platform.guest = true;
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, kGpuPort).verdict, Verdict::differs);
    EXPECT_FALSE(comparison.steps.empty());
    EXPECT_TRUE(mentions(comparison, "acs.guest"));
}

TEST(AcsPolicy, A12_a_guest_is_refused_when_the_profile_says_so) {
    Pair machine;
    machine.platform.guest = true;
    machine.acs().onGuest = Consent::refuse;
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, kGpuPort).verdict, Verdict::failed);
    EXPECT_TRUE(comparison.steps.empty());
    machine.acs().onGuest = Consent::proceed;
    EXPECT_FALSE(mentions(machine.look(), "acs.guest"));
}

TEST(AcsPolicy, A12_bare_metal_and_an_unknown_machine_are_no_guest) {
    Pair machine;
    EXPECT_FALSE(mentions(machine.look(), "acs.guest"));
    machine.platform.guest = std::nullopt;
    machine.acs().onGuest = Consent::refuse;
    EXPECT_EQ(of(machine.look(), kGpuPort).verdict, Verdict::differs);
}

TEST(AcsPolicy, a_host_without_a_gpu_is_skipped_unless_the_profile_clears) {
    Pair machine;
    for (const auto& function : machine.functions()) {
        if (function.driver == "nvidia") {
            machine.at(function.address.text()).gone = true;
        }
    }
    const Comparison skipped = machine.look();
    EXPECT_EQ(of(skipped, kNicPort).verdict, Verdict::skipped);
    EXPECT_NE(of(skipped, kNicPort).reason.find("GPU"), std::string::npos);
    EXPECT_TRUE(skipped.steps.empty());
    machine.acs().clearWithoutGpu = true;
    EXPECT_EQ(of(machine.look(), kNicPort).verdict, Verdict::differs);
}

TEST(AcsPolicy, clear_none_skips_every_port) {
    Pair machine;
    machine.acs().clear = AcsClear::none;
    const Comparison comparison = machine.look();
    EXPECT_GT(comparison.assessments.size(), 0U);
    EXPECT_EQ(count(comparison, Verdict::skipped), comparison.assessments.size());
    EXPECT_TRUE(comparison.steps.empty());
}

TEST(AcsPolicy, translated_traffic_is_left_alone_and_said) {
    Pair machine;
    hosts::setControl(machine.host, kNicPort, 0x005D);
    fake::FakeFunction& nic = machine.at(kNic);
    nic.addExtendedCapability(0x100, 0x0001, 0x1C0);
    nic.addExtendedCapability(0x1C0, 0x000F, 0);
    EXPECT_EQ(of(machine.look(), kNicPort).verdict, Verdict::differs) << "ATS is off";
    nic.setWord(0x1C6, 0x8000);
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, kNicPort).verdict, Verdict::notApplicable);
    EXPECT_TRUE(mentions(comparison, "acs.translated-traffic"));
    EXPECT_EQ(of(comparison, kGpuPort).verdict, Verdict::differs);
}

TEST(AcsPolicy, translation_blocking_is_a_finding_and_is_kept) {
    Pair machine;
    hosts::setControl(machine.host, kNicPort, 0x001F);
    const Comparison comparison = machine.look();
    EXPECT_TRUE(mentions(comparison, "acs.translation-blocking"));
    EXPECT_EQ(of(comparison, kNicPort).wanted, Value("0x0013"));
}

TEST(AcsPolicy, A08_a_hazard_beside_the_endpoints_does_not_reach_other_branches) {
    Pair machine;
    machine.at("0000:83:00.0").info.driver = "vfio-pci";  // an NVSwitch
    EXPECT_EQ(count(machine.look(), Verdict::failed), 0U);
}

}  // namespace
}  // namespace fabric::resource::acs
