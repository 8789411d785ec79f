// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/acs_machine.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::resource::acs {
namespace {

constexpr const char* kPort = "0000:17:01.0";
constexpr const char* kOther = "0000:17:02.0";

struct Set : AcsMachine {
    Set() : AcsMachine("h100-pex890xx") {
        hosts::setControl(host, kPort, 0x001D);
        hosts::setControl(host, kOther, 0x001D);
    }
};

TEST(AcsRefusal, A01_lockdown_is_named_and_nothing_is_planned) {
    for (const auto state :
         {inventory::Lockdown::integrity, inventory::Lockdown::confidentiality}) {
        Set machine;
        machine.platform.lockdown = state;
        const Comparison comparison = machine.look();
        EXPECT_TRUE(comparison.steps.empty());
        // Drift in check; failed in apply, since no step repairs it.
        EXPECT_EQ(of(comparison, kPort).verdict, Verdict::differs);
        EXPECT_NE(of(comparison, kPort).reason.find("lockdown"), std::string::npos);
        EXPECT_TRUE(mentions(comparison, "acs.lockdown"));
    }
}

TEST(AcsRefusal, A01_the_parameter_names_every_port_in_scope_for_this_kernel) {
    Set machine;
    machine.platform.lockdown = inventory::Lockdown::integrity;
    const std::string old = of(machine.look(), kPort).fix;
    EXPECT_NE(old.find("pci=disable_acs_redir="), std::string::npos);
    // Ports that are clear now lose that at the next boot: they are in the list too.
    for (const char* port : {kPort, kOther, "0000:15:01.0", "0000:d9:02.0"}) {
        EXPECT_NE(old.find(port), std::string::npos) << port;
    }
    EXPECT_EQ(old.find("0000:82:00.0"), std::string::npos) << "leads to an NVSwitch";
    EXPECT_EQ(old.find("0000:16:00.0"), std::string::npos) << "has no ACS";
    machine.platform.kernelRelease = "6.16.1";
    EXPECT_NE(of(machine.look(), kPort).fix.find("0x10001@0000:17:01.0"),
              std::string::npos)
        << of(machine.look(), kPort).fix;
}

TEST(AcsRefusal, A01_ports_that_are_as_wanted_stay_in_sync_under_lockdown) {
    Set machine;
    machine.platform.lockdown = inventory::Lockdown::integrity;
    EXPECT_EQ(of(machine.look(), "0000:15:01.0").verdict, Verdict::inSync);
}

TEST(AcsRefusal, A01_an_unseen_lockdown_is_caught_by_the_write_and_the_read_back) {
    Set machine;
    machine.platform.lockdown = inventory::Lockdown::unknown;
    machine.at(kPort).refuseWrite = EPERM;
    const Comparison before = machine.look();
    ASSERT_EQ(before.steps.size(), 2U);
    EXPECT_NE(of(before, kPort).fix.find("disable_acs_redir"), std::string::npos);
    const auto errors = machine.write(before);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors.front().sysErrno, EPERM);
    const Comparison after = machine.look();
    EXPECT_EQ(of(after, kPort).verdict, Verdict::differs);
    EXPECT_EQ(of(after, kPort).found, Value("0x001d"));
    EXPECT_EQ(of(after, kOther).verdict, Verdict::inSync);
}

TEST(AcsRefusal, A02_without_privilege_every_port_is_unreadable) {
    Set machine;
    for (const auto& function : machine.functions()) {
        machine.at(function.address.text()).visible = 64;
    }
    const Comparison comparison = machine.look();
    EXPECT_EQ(count(comparison, Verdict::unreadable), comparison.assessments.size());
    EXPECT_NE(of(comparison, kPort).fix.find("CAP_SYS_ADMIN"), std::string::npos);
    EXPECT_TRUE(of(comparison, kPort).found.isNull());
}

TEST(AcsRefusal, A03_read_only_sys_fails_the_write_and_is_not_taken_for_no_acs) {
    Set machine;
    machine.at(kPort).refuseWrite = EROFS;
    const Comparison before = machine.look();
    EXPECT_EQ(of(before, kPort).verdict, Verdict::differs);
    const auto errors = machine.write(before);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors.front().sysErrno, EROFS);
    EXPECT_EQ(of(machine.look(), kPort).verdict, Verdict::differs);
}

TEST(AcsRefusal, A04_a_dead_port_is_unreadable_and_the_others_are_still_done) {
    Set machine;
    machine.at(kPort).allOnes = true;
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, kPort).verdict, Verdict::unreadable);
    EXPECT_NE(of(comparison, kPort).reason.find("does not answer"), std::string::npos);
    EXPECT_EQ(of(comparison, kOther).verdict, Verdict::differs);
}

TEST(AcsRefusal, A05_a_damaged_list_is_unreadable) {
    Set machine;
    machine.at(kPort).addExtendedCapability(0x100, 0x0001, 0x0FC);
    EXPECT_EQ(of(machine.look(), kPort).verdict, Verdict::unreadable);
    EXPECT_NE(of(machine.look(), kPort).reason.find("leads to 0xfc"),
              std::string::npos);
}

TEST(AcsRefusal, A06_a_port_without_acs_is_not_applicable) {
    Set machine;
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, "0000:16:00.0").verdict, Verdict::notApplicable);
    EXPECT_NE(of(comparison, "0000:16:00.0").reason.find("switch upstream port"),
              std::string::npos);
}

TEST(AcsRefusal, A09_request_redirect_and_egress_control_go_in_one_write) {
    Set machine;
    machine.at(kPort).setWord(0x174, 0x007F);
    hosts::setControl(machine.host, kPort, 0x003D);
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, kPort).wanted, Value("0x0011"));
    for (const Step& step : comparison.steps) {
        const auto& write = std::get<host::PciCapabilityWrite>(step.writes.at(0));
        EXPECT_EQ(write.clear, 0x002C);
    }
}

TEST(AcsRefusal, A10_unknown_upper_bits_survive_a_write) {
    Set machine;
    hosts::setControl(machine.host, kPort, 0x1A9D);
    const Comparison before = machine.look();
    EXPECT_EQ(of(before, kPort).found, Value("0x1a9d"));
    machine.write(before);
    EXPECT_EQ(hosts::controlOf(machine.host, kPort), 0x1A91);
}

TEST(AcsRefusal, A14_the_register_decides_and_not_the_command_line) {
    Set machine;
    machine.platform.kernelRelease = "6.12.0";
    machine.platform.kernelCommandLine =
        "quiet pci=config_acs=xx0x00x@0000:17:01.0;xx0x00x@0000:17:02.0";
    const Comparison comparison = machine.look();
    EXPECT_EQ(of(comparison, kPort).verdict, Verdict::differs);
    EXPECT_TRUE(mentions(comparison, "acs.command-line"));
    machine.write(comparison);
    EXPECT_EQ(of(machine.look(), kPort).verdict, Verdict::inSync);
    EXPECT_FALSE(mentions(machine.look(), "acs.command-line"));
}

TEST(AcsRefusal, A15_sunrise_point_is_never_written) {
    Set machine;
    fake::FakeFunction& port = machine.at("0000:15:01.0");
    port.config = hosts::loadConfig("sunrise-point-root-port");
    EXPECT_EQ(of(machine.look(), "0000:15:01.0").verdict, Verdict::inSync);
    port.setWord(0x148, 0x000D);
    const Comparison comparison = machine.look();
    const Assessment& assessment = of(comparison, "0000:15:01.0");
    EXPECT_EQ(assessment.verdict, Verdict::unsupported);
    EXPECT_EQ(assessment.found, Value("0x000d"));
    EXPECT_NE(assessment.reason.find("Sunrise Point"), std::string::npos);
    EXPECT_NE(assessment.fix.find("disable_acs_redir"), std::string::npos);
    for (const Step& step : comparison.steps) {
        EXPECT_NE(step.ids.front(), assessment.id);
    }
}

TEST(AcsRefusal, A16_a_hardwired_bit_still_differs_after_the_write_and_says_why) {
    Set machine;
    machine.at(kPort).readOnly[0x176] = 0x0008;
    EXPECT_TRUE(machine.write(machine.look()).empty());
    const Comparison after = machine.look();
    EXPECT_EQ(of(after, kPort).verdict, Verdict::differs);
    EXPECT_EQ(of(after, kPort).found, Value("0x0019"));
    EXPECT_NE(of(after, kPort).reason.find("hardwired"), std::string::npos);
    EXPECT_NE(of(after, kPort).reason.find("CR on"), std::string::npos);
}

TEST(AcsRefusal, A16_neither_offered_nor_on_is_not_applicable_and_never_cleared) {
    Set machine;
    machine.at(kPort).setWord(0x174, 0x0013);
    hosts::setControl(machine.host, kPort, 0x0011);
    EXPECT_EQ(of(machine.look(), kPort).verdict, Verdict::notApplicable);
    machine.at(kOther).setWord(0x174, 0x0000);
    hosts::setControl(machine.host, kOther, 0x0000);
    EXPECT_EQ(of(machine.look(), kOther).verdict, Verdict::notApplicable);
}

TEST(AcsRefusal, A16_a_bit_on_that_the_capability_does_not_offer_is_said) {
    Set machine;
    hosts::setControl(machine.host, kPort, 0x003D);
    EXPECT_NE(of(machine.look(), kPort).reason.find("does not offer EC"),
              std::string::npos);
}

TEST(AcsRefusal, an_unreadable_list_of_rdma_ports_is_not_a_clean_host) {
    Set machine;
    machine.host.rdma.portsError = systemError("dump RDMA devices", "", EIO);
    const Comparison comparison = machine.look();
    ASSERT_EQ(comparison.assessments.size(), 1U);
    EXPECT_EQ(comparison.assessments.front().verdict, Verdict::unreadable);
}

}  // namespace
}  // namespace fabric::resource::acs
