// SPDX-License-Identifier: Apache-2.0
#include "resource/module/module_fixture.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace fabric::resource::kernel_module {
namespace {

using ::testing::HasSubstr;
using Module = ModuleFixture;

TEST_F(Module, loaded_and_listed_is_as_wanted_and_writes_nothing) {
    want({"ib_core", "rdma-cm"});
    host.modules.add("ib_core");
    host.modules.add("rdma_cm");
    host.modules.showLoaded("ib_core");
    host.modules.showLoaded("rdma_cm");
    list({"ib_core", "rdma_cm"});
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::inSync);
    EXPECT_EQ(of("module/rdma_cm").verdict, Verdict::inSync);
    EXPECT_TRUE(look().steps.empty());
}

TEST_F(Module, one_that_is_not_loaded_is_loaded_and_listed_and_read_back) {
    want({"ib_core"});
    host.modules.add("ib_core");
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::differs);
    for (const engine::StepResult& result : apply()) {
        EXPECT_TRUE(result.accepted);
    }
    EXPECT_EQ(host.modules.loads.size(), 1U);
    EXPECT_EQ(parseBootList(host.files.content(kBootList)),
              std::set<std::string>{"ib_core"});
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::inSync);
}

TEST_F(Module, soft_dependencies_that_come_with_it_are_told_in_the_plan) {
    want({"ib_core", "rdma_rxe"});
    host.modules.add("ib_core");
    host.modules.add("rdma_rxe").softDependencies = {"crc32_pclmul", "udp_tunnel"};
    const std::vector<Step> steps = look().steps;
    ASSERT_GE(steps.size(), 2U);
    EXPECT_EQ(steps[0].summary, "load module ib_core");
    EXPECT_EQ(steps[1].summary,
              "load module rdma_rxe, where there: crc32_pclmul, udp_tunnel (softdep)");
}

TEST_F(Module, loaded_but_not_listed_is_lost_at_the_next_boot) {
    want({"ib_core", "ib_uverbs"});
    for (const char* const name : {"ib_core", "ib_uverbs"}) {
        host.modules.add(name);
        host.modules.showLoaded(name);
    }
    list({"ib_core"});
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::inSync);
    EXPECT_EQ(of("module/ib_uverbs").verdict, Verdict::differs);
    EXPECT_THAT(of("module/ib_uverbs").reason, HasSubstr("fabricctl.conf"));
    apply();
    EXPECT_TRUE(host.modules.loads.empty());
    EXPECT_EQ(of("module/ib_uverbs").verdict, Verdict::inSync);
}

TEST_F(Module, a_load_that_answers_0_and_loads_nothing_still_differs) {
    want({"ib_core"});
    host.modules.add("ib_core");
    host.modules.loadsInVain = true;
    apply();
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::differs);
}

TEST_F(Module, S13_a_built_in_module_counts_as_loaded) {
    want({"ib_core", "ib_cm"});
    host.files.addFile("/sys/module/ib_core/parameters/send_queue_size", "128\n");
    host::Module builtIn{.name = "ib_cm", .builtIn = true};
    host.modules.add("ib_cm") = builtIn;
    list({"ib_core", "ib_cm"});
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::inSync);
    EXPECT_THAT(of("module/ib_core").found.toText(), HasSubstr("built in"));
    EXPECT_EQ(of("module/ib_cm").verdict, Verdict::inSync);
}

TEST_F(Module, S13_a_blacklisted_module_is_never_loaded_and_its_line_is_named) {
    want({"rdma_rxe"});
    host.modules.add("rdma_rxe").blacklisted = true;
    host.files.addFile("/etc/modprobe.d/site.conf",
                       "# no soft RoCE\n\nblacklist rdma-rxe\n");
    const Assessment assessment = of("module/rdma_rxe");
    EXPECT_EQ(assessment.verdict, Verdict::differs);
    EXPECT_THAT(assessment.reason, HasSubstr("/etc/modprobe.d/site.conf:3"));
    EXPECT_THAT(assessment.fix, HasSubstr("/etc/modprobe.d/site.conf:3"));
    EXPECT_TRUE(look().steps.empty());
}

TEST_F(Module, S13_a_loaded_module_that_is_blacklisted_will_not_be_there_after_a_boot) {
    want({"rdma_rxe"});
    host.modules.add("rdma_rxe").blacklisted = true;
    host.modules.showLoaded("rdma_rxe");
    list({"rdma_rxe"});
    const Assessment assessment = of("module/rdma_rxe");
    EXPECT_EQ(assessment.verdict, Verdict::differs);
    EXPECT_THAT(assessment.reason, HasSubstr("no boot loads it"));
}

TEST_F(Module,
       S13_a_module_that_is_blacklisted_on_the_command_line_has_no_file_to_name) {
    want({"rdma_rxe"});
    host.modules.add("rdma_rxe").blacklisted = true;
    EXPECT_EQ(of("module/rdma_rxe").verdict, Verdict::differs);
    EXPECT_THAT(of("module/rdma_rxe").reason, HasSubstr("configuration"));
}

TEST_F(Module, S13_a_refused_signature_is_told_by_the_load) {
    want({"mlx5_core"});
    host.pci.add({.address = *PciAddress::parse("0000:1a:00.0"), .vendor = 0x15b3});
    host.modules.add("mlx5_core");
    host.modules.loadErrors["mlx5_core"] = EKEYREJECTED;
    const auto results = apply();
    ASSERT_FALSE(results.empty());
    ASSERT_TRUE(results.front().error);
    EXPECT_EQ(results.front().error->sysErrno, EKEYREJECTED);
    EXPECT_EQ(of("module/mlx5_core").verdict, Verdict::differs);
}

TEST_F(Module, an_install_line_would_run_a_shell_and_is_refused_with_file_and_line) {
    want({"mlx5_core"});
    host.pci.add({.address = *PciAddress::parse("0000:1a:00.0"), .vendor = 0x15b3});
    host.modules.add("mlx5_core").installCommands = {{"mlxfw", "/sbin/firmware \\x1b"}};
    host.files.addFile("/lib/modprobe.d/mlx.conf",
                       "options mlx5_core a=1\ninstall mlx* \\\n /sbin/firmware\n");
    const Assessment assessment = of("module/mlx5_core");
    EXPECT_EQ(assessment.verdict, Verdict::differs);
    EXPECT_THAT(assessment.reason, HasSubstr("/lib/modprobe.d/mlx.conf:2"));
    EXPECT_THAT(assessment.reason, HasSubstr("mlxfw"));
    EXPECT_TRUE(look().steps.empty());
}

TEST_F(Module, an_install_line_of_a_loaded_module_is_nobodys_business) {
    want({"ib_core"});
    host.modules.add("ib_core").installCommands = {{"ib_core", "/bin/true"}};
    host.modules.showLoaded("ib_core");
    list({"ib_core"});
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::inSync);
}

TEST_F(Module, a_vendor_module_without_its_hardware_is_not_applicable) {
    want({"mlx5_core", "mlx5_ib", "ib_core"});
    host.pci.add({.address = *PciAddress::parse("0000:00:1f.0"), .vendor = 0x8086});
    host.modules.add("mlx5_core");
    host.modules.add("ib_core");
    EXPECT_EQ(of("module/mlx5_core").verdict, Verdict::notApplicable);
    EXPECT_EQ(of("module/mlx5_ib").verdict, Verdict::notApplicable);
    apply();
    EXPECT_EQ(parseBootList(host.files.content(kBootList)),
              std::set<std::string>{"ib_core"});
}

TEST_F(Module, a_module_that_this_kernel_does_not_have_is_a_difference_without_a_step) {
    want({"ib_cor"});
    EXPECT_EQ(of("module/ib_cor").verdict, Verdict::differs);
    EXPECT_THAT(of("module/ib_cor").reason, HasSubstr("6.1.0-57-amd64"));
    EXPECT_TRUE(look().steps.empty());
}

TEST_F(Module, without_the_list_of_built_in_modules_a_missing_one_is_unknown) {
    want({"ib_core"});
    host.files.erase("/lib/modules/6.1.0-57-amd64/modules.builtin");
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::unreadable);
    host.files.addFile("/sys/module/ib_core/parameters/a", "1");
    list({"ib_core"});
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::inSync);
}

TEST_F(Module, what_cannot_be_looked_up_is_unreadable_and_stays_listed) {
    want({"ib_core", "ib_uverbs"});
    host.modules.add("ib_uverbs");
    host.modules.readErrors["ib_core"] = EIO;
    list({"ib_core"});
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::unreadable);
    apply();
    EXPECT_EQ(parseBootList(host.files.content(kBootList)),
              (std::set<std::string>{"ib_core", "ib_uverbs"}));
}

TEST_F(Module, a_boot_list_that_cannot_be_read_is_unreadable_and_not_overwritten) {
    want({"ib_core"});
    host.modules.add("ib_core");
    host.modules.showLoaded("ib_core");
    host.files.addFile(kBootList, "");
    host.files.failRead(kBootList, EACCES);
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::unreadable);
    EXPECT_TRUE(look().steps.empty());
}

TEST_F(Module, a_module_that_is_still_being_loaded_is_not_loaded) {
    want({"ib_core"});
    host.modules.add("ib_core");
    host.files.addFile("/sys/module/ib_core/initstate", "coming\n");
    list({"ib_core"});
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::differs);
    EXPECT_THAT(of("module/ib_core").reason, HasSubstr("being loaded"));
    ASSERT_EQ(look().steps.size(), 1U);
}

TEST_F(Module, both_spellings_of_one_name_are_one_module) {
    want({"ib-core", "ib_core"});
    host.modules.add("ib_core");
    EXPECT_EQ(look().assessments.size(), 1U);
}

}  // namespace
}  // namespace fabric::resource::kernel_module
