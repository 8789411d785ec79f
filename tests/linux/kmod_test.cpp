// SPDX-License-Identifier: Apache-2.0
#include "linux/kmod_library.hpp"
#include "linux/kmod_modules.hpp"
#include "linux/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::linux_host {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryDirectory;

// Where no kernel has a module of this name.
constexpr const char* kNobodysModule = "fabricctl_no_such_module";

TEST(Kmod, an_unknown_module_is_neither_built_in_nor_on_the_disk) {
    const TemporaryDirectory root;
    const auto module = KmodModuleReader(root.path()).module(kNobodysModule);
    ASSERT_TRUE(module);
    EXPECT_EQ(module->name, kNobodysModule);
    EXPECT_FALSE(module->builtIn);
    EXPECT_TRUE(module->file.empty());
    EXPECT_FALSE(module->blacklisted);
    EXPECT_TRUE(module->installCommands.empty());
}

TEST(Kmod, blacklist_and_install_lines_are_found_below_the_root) {
    const TemporaryDirectory root;
    root.write("etc/modprobe.d/site.conf",
               "blacklist fabricctl-no-such-module\n"
               "install fabricctl_no_such_module /bin/false\n");
    const auto module = KmodModuleReader(root.path()).module(kNobodysModule);
    ASSERT_TRUE(module);
    EXPECT_TRUE(module->blacklisted);
    ASSERT_EQ(module->installCommands.size(), 1U);
    EXPECT_EQ(module->installCommands.front(),
              (host::ModuleCommand{kNobodysModule, "/bin/false"}));
}

TEST(Kmod, S13_a_module_of_another_kernel_says_both_versions) {
    const host::Module module{.name = "mlx5_core", .vermagic = "5.15.0-1 SMP"};
    const Error error = explainLoadFailure(module, "6.1.0-57-amd64", ENOEXEC);
    EXPECT_THAT(error.message(), HasSubstr("5.15.0-1 SMP"));
    EXPECT_THAT(error.message(), HasSubstr("6.1.0-57-amd64"));
}

TEST(Kmod, S13_signature_symbols_and_permission_each_have_their_own_answer) {
    const host::Module module{.name = "mlx5_core"};
    EXPECT_THAT(explainLoadFailure(module, "", EKEYREJECTED).message(),
                HasSubstr("signature"));
    EXPECT_THAT(explainLoadFailure(module, "", EINVAL).message(), HasSubstr("symbol"));
    EXPECT_THAT(explainLoadFailure(module, "", EPERM).message(),
                HasSubstr("CAP_SYS_MODULE"));
    EXPECT_THAT(explainLoadFailure(module, "", EIO).message(), HasSubstr("journalctl"));
}

}  // namespace
}  // namespace fabric::linux_host
