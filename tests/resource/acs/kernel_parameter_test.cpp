// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/kernel_parameter.hpp"

#include "resource/acs/acs_machine.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::acs {
namespace {

using profile::AcsClear;

const std::vector<PortGoal> kPorts{
    {.address = bdf("0000:15:01.0"), .capability = 0x001F, .control = 0x0011},
    {.address = bdf("10000:17:02.0"), .capability = 0x007F, .control = 0x0051}};

TEST(KernelParameter, A01_new_kernels_get_config_acs_with_every_bit_of_every_port) {
    const auto parameter = kernelParameter("6.15.2", AcsClear::redirect, kPorts);
    EXPECT_EQ(parameter.text,
              "pci=config_acs=xx10001@0000:15:01.0;1010001@10000:17:02.0");
    EXPECT_EQ(parameter.note, "");
}

TEST(KernelParameter, A14_kernels_with_the_parser_bug_are_named) {
    const auto broken =
        kernelParameter("6.12.117+deb12-amd64", AcsClear::redirect, kPorts);
    EXPECT_TRUE(broken.text.starts_with("pci=config_acs="));
    EXPECT_NE(broken.note.find("9cf8a952d57b"), std::string::npos);
    EXPECT_NE(broken.advice().find("check the registers"), std::string::npos);
}

TEST(KernelParameter, A01_older_kernels_get_disable_acs_redir) {
    const auto parameter =
        kernelParameter("6.1.0-57-amd64", AcsClear::redirect, kPorts);
    EXPECT_EQ(parameter.text, "pci=disable_acs_redir=0000:15:01.0;10000:17:02.0");
    EXPECT_EQ(parameter.note, "");
    EXPECT_NE(parameter.advice().find(parameter.text), std::string::npos);
}

TEST(KernelParameter, disable_acs_redir_does_not_promise_to_clear_all_bits) {
    EXPECT_NE(kernelParameter("6.1.0", AcsClear::all, kPorts).note, "");
}

TEST(KernelParameter, platform_masks_need_config_acs) {
    EXPECT_EQ(kernelParameter("6.8.0", AcsClear::platform, kPorts).text, "");
    EXPECT_NE(
        kernelParameter("6.8.0", AcsClear::platform, kPorts).advice().find("6.11"),
        std::string::npos);
    EXPECT_TRUE(kernelParameter("6.17.0", AcsClear::platform, kPorts)
                    .text.starts_with("pci=config_acs="));
}

TEST(KernelParameter, a_kernel_without_any_is_told_so) {
    EXPECT_EQ(kernelParameter("4.18.0-553", AcsClear::redirect, kPorts).text, "");
    EXPECT_NE(
        kernelParameter("", AcsClear::redirect, kPorts).advice().find("firmware setup"),
        std::string::npos);
}

TEST(AcsOptions, are_found_among_other_parameters) {
    EXPECT_EQ(
        acsOptions("quiet pci=realloc,config_acs=xx0@0000:00:01.0;xx1@pci:0:0 ro"),
        "config_acs=xx0@0000:00:01.0;xx1@pci:0:0");
    EXPECT_EQ(acsOptions("pci=noacs"), "noacs");
    EXPECT_EQ(acsOptions("\"pci=disable_acs_redir=pci:0:0\""),
              "disable_acs_redir=pci:0:0\"");
    EXPECT_EQ(acsOptions("x_pci=config_acs=1 config_acs=1 pci=nomsi"), "");
    EXPECT_EQ(acsOptions(""), "");
}

}  // namespace
}  // namespace fabric::resource::acs
