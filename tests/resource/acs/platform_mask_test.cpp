// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/platform_mask.hpp"

#include "resource/acs/acs_machine.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::acs {
namespace {

using profile::AcsClear;

TEST(PlatformMask, A11_each_port_of_a_complex_gets_its_own_bits) {
    AcsMachine machine("gb300-data-direct");
    machine.acs().clear = AcsClear::platform;
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, "0009:00:00.0").wanted, Value("0x001c"));
    EXPECT_EQ(of(comparison, "0009:02:00.0").wanted, Value("0x0019"));
    EXPECT_EQ(of(comparison, "0009:02:03.0").wanted, Value("0x0015"));
    EXPECT_EQ(of(comparison, "0009:05:00.0").wanted, Value("0x001d"));
    EXPECT_EQ(of(comparison, "0000:00:00.0").wanted, Value("0x001d"));
    EXPECT_EQ(of(comparison, "0009:05:00.0").verdict, Verdict::inSync);
    EXPECT_EQ(of(comparison, "0009:01:00.0").verdict, Verdict::notApplicable);
}

TEST(PlatformMask, A11_platform_masks_also_set_bits) {
    AcsMachine machine("gb300-data-direct");
    machine.acs().clear = AcsClear::platform;
    for (const char* port : {"0008:00:00.0", "0008:02:00.0", "0008:02:03.0"}) {
        hosts::setControl(machine.host, port, 0);
    }
    EXPECT_TRUE(machine.write(machine.look()).empty());
    EXPECT_EQ(hosts::controlOf(machine.host, "0008:00:00.0"), 0x001C);
    EXPECT_EQ(hosts::controlOf(machine.host, "0008:02:00.0"), 0x0019);
    EXPECT_EQ(hosts::controlOf(machine.host, "0008:02:03.0"), 0x0015);
    EXPECT_TRUE(machine.look().steps.empty());
}

TEST(PlatformMask, A11_redirect_and_all_are_refused_even_where_the_register_is_zero) {
    for (const AcsClear clear : {AcsClear::redirect, AcsClear::all}) {
        AcsMachine machine("gb300-data-direct");
        machine.acs().clear = clear;
        hosts::setControl(machine.host, "0009:00:00.0", 0);
        const Comparison comparison = machine.look();
        EXPECT_TRUE(comparison.steps.empty());
        EXPECT_EQ(of(comparison, "0009:00:00.0").verdict, Verdict::failed);
        EXPECT_EQ(of(comparison, "0009:02:03.0").verdict, Verdict::failed);
        EXPECT_NE(of(comparison, "0009:02:03.0").fix.find("clear: platform"),
                  std::string::npos);
        EXPECT_TRUE(mentions(comparison, "acs.platform"));
    }
}

TEST(PlatformMask, A11_scope_paths_still_covers_the_root_port_of_a_complex) {
    AcsMachine machine("gb300-data-direct");
    machine.acs().clear = AcsClear::platform;
    machine.acs().scope = profile::AcsScope::paths;
    EXPECT_EQ(of(machine.look(), "0009:00:00.0").verdict, Verdict::differs);
}

TEST(PlatformMask, A11_a_complex_of_unknown_shape_is_refused_and_not_guessed) {
    AcsMachine machine("gb300-data-direct");
    machine.acs().clear = AcsClear::platform;
    machine.at("0009:06:00.0").gone = true;
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, "0009:00:00.0").verdict, Verdict::failed);
    EXPECT_EQ(of(comparison, "0009:02:00.0").verdict, Verdict::failed);
    EXPECT_EQ(of(comparison, "0008:00:00.0").verdict, Verdict::differs);
}

TEST(PlatformMask, A11_vera_root_ports_keep_completion_redirect_off) {
    AcsMachine machine("gb300-data-direct");
    machine.acs().clear = AcsClear::platform;
    machine.at("0009:00:00.0").info.device = 0x2F95;
    machine.at("0000:00:00.0").info.device = 0x2F96;
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, "0009:00:00.0").wanted, Value("0x0014"));
    EXPECT_EQ(of(comparison, "0000:00:00.0").wanted, Value("0x0015"));
}

TEST(PlatformMask, a_translating_iommu_belongs_to_the_platform_design) {
    AcsMachine machine("gb300-data-direct");
    machine.acs().clear = AcsClear::platform;
    machine.at("0009:06:00.0").info.iommuGroup = 4;
    machine.host.files.addFile("/sys/kernel/iommu_groups/4/type", "DMA-FQ\n");
    EXPECT_EQ(of(machine.look(), "0009:00:00.0").verdict, Verdict::differs);
}

TEST(PlatformMask, platform_on_any_other_machine_is_unsupported) {
    AcsMachine machine("h100-pex890xx");
    machine.acs().clear = AcsClear::platform;
    const Comparison comparison = machine.look();
    EXPECT_TRUE(comparison.steps.empty());
    EXPECT_EQ(of(comparison, "0000:15:01.0").verdict, Verdict::unsupported);
    EXPECT_NE(of(comparison, "0000:15:01.0").fix.find("redirect"), std::string::npos);
}

TEST(PlatformMask, lockdown_names_the_parameter_with_the_platform_bits) {
    AcsMachine machine("gb300-data-direct");
    machine.acs().clear = AcsClear::platform;
    machine.platform.kernelRelease = "6.17.0";
    machine.platform.lockdown = inventory::Lockdown::integrity;
    const std::string fix = of(machine.look(), "0009:00:00.0").fix;
    EXPECT_NE(fix.find("xx11100@0009:00:00.0"), std::string::npos) << fix;
    EXPECT_NE(fix.find("xx11001@0009:02:00.0"), std::string::npos) << fix;
    EXPECT_NE(fix.find("xx10101@0009:02:03.0"), std::string::npos) << fix;
}

}  // namespace
}  // namespace fabric::resource::acs
