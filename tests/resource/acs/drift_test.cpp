// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/acs_machine.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::acs {
namespace {

constexpr const char* kPort = "0000:17:01.0";

TEST(AcsDrift, a_difference_becomes_one_masked_write) {
    AcsMachine machine("h100-pex890xx");
    hosts::setControl(machine.host, kPort, 0x001D);
    const Comparison comparison = machine.look();
    ASSERT_EQ(comparison.steps.size(), 1U);
    const Step& step = comparison.steps.front();
    EXPECT_EQ(step.stage, Stage::acs);
    EXPECT_EQ(step.disturbs, Disturbs::none);
    EXPECT_EQ(step.ids, (std::vector<std::string>{"acs/0000:17:01.0/control"}));
    EXPECT_EQ(std::get<host::PciCapabilityWrite>(step.writes.at(0)),
              (host::PciCapabilityWrite{.address = bdf(kPort),
                                        .capabilityId = 0x000D,
                                        .capability = 0x170,
                                        .registerOffset = 6,
                                        .clear = 0x002C,
                                        .set = 0}));
    const Assessment& assessment = of(comparison, kPort);
    EXPECT_EQ(assessment.wanted, Value("0x0011"));
    EXPECT_EQ(assessment.found, Value("0x001d"));
    EXPECT_EQ(assessment.pci, kPort);
    EXPECT_NE(assessment.reason.find("RR CR on"), std::string::npos);
    EXPECT_NE(assessment.explanation.find("IOMMU"), std::string::npos);
}

TEST(AcsDrift, A13_a_value_that_the_kernel_puts_back_is_a_difference_again) {
    AcsMachine machine("h100-pex890xx");
    hosts::setControl(machine.host, kPort, 0x001D);
    machine.write(machine.look());
    EXPECT_EQ(of(machine.look(), kPort).verdict, Verdict::inSync);
    hosts::setControl(machine.host, kPort, 0x001D);  // rescan, resume or reset
    EXPECT_EQ(of(machine.look(), kPort).verdict, Verdict::differs);
    EXPECT_EQ(machine.look().steps.size(), 1U);
}

TEST(AcsDrift, A13_a_port_that_moved_with_its_device_is_found_where_it_is_now) {
    AcsMachine machine("h100-pex890xx");
    machine.at("0000:19:00.0").gone = true;
    host::PciFunction moved = machine.at("0000:19:00.0").info;
    moved.address = bdf("0000:18:01.0");
    moved.bridges.back() = bdf("0000:17:00.0");
    machine.host.pci.add(moved);
    hosts::setControl(machine.host, "0000:17:00.0", 0x001D);
    EXPECT_EQ(of(machine.look(), "0000:17:00.0").verdict, Verdict::differs);
}

TEST(AcsDrift, nothing_is_written_when_nothing_differs) {
    AcsMachine machine("h100-pex890xx");
    machine.write(machine.look());
    EXPECT_TRUE(machine.host.pci.writes.empty());
}

TEST(AcsDrift, all_clears_the_seven_common_bits) {
    AcsMachine machine("h100-pex890xx");
    machine.acs().clear = profile::AcsClear::all;
    hosts::setControl(machine.host, kPort, 0x105D);
    machine.write(machine.look());
    EXPECT_EQ(hosts::controlOf(machine.host, kPort), 0x1000);
}

TEST(AcsDrift, nothing_is_asked_under_rail_or_without_the_section) {
    AcsMachine machine("h100-pex890xx");
    const inventory::PciTopology pci(machine.functions());
    Scope scope{.rails = {},
                .host = machine.settings,
                .platform = machine.platform,
                .pci = &pci,
                .hostWide = false};
    EXPECT_TRUE(assess(machine.host.reader(), scope).assessments.empty());
    scope.hostWide = true;
    machine.settings.acs.reset();
    EXPECT_TRUE(assess(machine.host.reader(), scope).assessments.empty());
}

TEST(AcsDrift, the_topology_is_read_when_the_scope_has_none) {
    AcsMachine machine("h100-pex890xx");
    const Scope scope{.rails = {},
                      .host = machine.settings,
                      .platform = machine.platform,
                      .pci = nullptr};
    EXPECT_EQ(assess(machine.host.reader(), scope).assessments.size(),
              machine.look().assessments.size());
    machine.host.pci.functionsError = systemError("scan PCI", "", 5);
    EXPECT_EQ(assess(machine.host.reader(), scope).assessments.at(0).verdict,
              Verdict::unreadable);
}

TEST(AcsDrift, a_machine_without_endpoints_says_so) {
    AcsMachine machine("h100-pex890xx");
    machine.acs().endpoints = {{.vendor = "ffff", .device = "", .classCode = ""}};
    const Comparison comparison = machine.look();
    EXPECT_TRUE(comparison.assessments.empty());
    EXPECT_TRUE(mentions(comparison, "acs.no-endpoint"));
}

}  // namespace
}  // namespace fabric::resource::acs
