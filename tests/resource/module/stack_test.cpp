// SPDX-License-Identifier: Apache-2.0
#include "resource/module/module_fixture.hpp"

#include <gmock/gmock.h>

namespace fabric::resource::kernel_module {
namespace {

using ::testing::HasSubstr;

class Stack : public ModuleFixture {
  protected:
    void loaded(const std::string& name, const std::string& taint = "") {
        host.modules.add(name);
        host.modules.showLoaded(name, taint);
    }
};

TEST_F(Stack, S13_a_driver_of_a_foreign_build_beside_the_kernels_core_is_named) {
    want({"ib_core", "mlx5_core"});
    loaded("ib_core");
    loaded("mlx5_core", "OE");
    const Comparison seen = look();
    const Finding* const mixed = findingIn(seen, "module.mixed-stack");
    ASSERT_NE(mixed, nullptr);
    EXPECT_EQ(mixed->severity, Severity::fail);
    EXPECT_THAT(mixed->evidence, HasSubstr("out of tree: mlx5_core"));
}

TEST_F(Stack, S13_what_is_not_loaded_yet_counts_by_its_file) {
    want({"ib_core", "mlx5_core"});
    loaded("ib_core", "O");
    host.pci.add({.address = *PciAddress::parse("0000:1a:00.0"), .vendor = 0x15b3});
    host.modules.add("mlx5_core");
    EXPECT_NE(findingIn(look(), "module.mixed-stack"), nullptr);
}

TEST_F(Stack, a_stack_from_one_source_is_not_mixed) {
    want({"ib_core", "mlx5_core"});
    loaded("ib_core", "O");
    loaded("mlx5_core", "O");
    EXPECT_EQ(findingIn(look(), "module.mixed-stack"), nullptr);
}

TEST_F(Stack, drivers_that_are_always_out_of_tree_mix_with_any_core) {
    want({"ib_core", "nvidia_peermem", "irdma"});
    loaded("ib_core");
    loaded("nvidia_peermem", "PO");
    loaded("irdma", "OE");
    EXPECT_EQ(findingIn(look(), "module.mixed-stack"), nullptr);
}

TEST_F(Stack, S13_a_loaded_build_that_is_not_the_installed_one_is_named) {
    want({"ib_core"});
    loaded("ib_core");
    host.modules.add("ib_core").sourceVersion = "BBBB";
    const Comparison seen = look();
    const Finding* const other = findingIn(seen, "module.other-build");
    ASSERT_NE(other, nullptr);
    EXPECT_THAT(other->evidence, HasSubstr("BBBB"));
}

}  // namespace
}  // namespace fabric::resource::kernel_module
