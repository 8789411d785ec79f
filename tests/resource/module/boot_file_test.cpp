// SPDX-License-Identifier: Apache-2.0
// Our file of modules-load.d as a whole.
#include "resource/module/boot_file.hpp"

#include "resource/module/module_fixture.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace fabric::resource::kernel_module {
namespace {

using ::testing::HasSubstr;

class ModuleBootFile : public ModuleFixture {
  protected:
    ModuleBootFile() {
        for (const char* const name : {"ib_core", "ib_uverbs"}) {
            host.modules.add(name);
            host.modules.showLoaded(name);
        }
    }

    [[nodiscard]] bool tells(std::string_view id) const {
        const Comparison seen = look();
        return std::ranges::find(seen.assessments, id, &Assessment::id) !=
               seen.assessments.end();
    }
};

TEST_F(ModuleBootFile, a_module_that_the_profile_names_no_more_is_drift_and_goes) {
    want({"ib_core"});
    list({"ib_core", "ib_uverbs"});
    const Assessment file = of("module/boot-list");
    EXPECT_EQ(file.verdict, Verdict::differs);
    EXPECT_THAT(file.reason, HasSubstr("ib_uverbs"));
    EXPECT_EQ(file.wanted, Value(Value::List{"ib_core"}));
    EXPECT_EQ(file.found, Value(Value::List{"ib_core", "ib_uverbs"}));
    EXPECT_EQ(of("module/ib_core").verdict, Verdict::inSync);
    apply();
    EXPECT_EQ(host.files.content(kBootList), renderBootList({"ib_core"}));
    EXPECT_FALSE(tells("module/boot-list"));
    EXPECT_TRUE(look().steps.empty());
}

TEST_F(ModuleBootFile, foreign_lines_are_drift_and_shown_escaped) {
    want({"ib_core"});
    host.files.addFile(kBootList,
                       renderBootList({"ib_core"}) + "# mine\nevil\x1b mod\n");
    EXPECT_THAT(of("module/boot-list").reason, HasSubstr("# mine, evil\\x1b mod"));
    apply();
    EXPECT_EQ(host.files.content(kBootList), renderBootList({"ib_core"}));
}

TEST_F(ModuleBootFile, an_empty_list_of_modules_wants_an_empty_file) {
    want({});
    EXPECT_TRUE(look().assessments.empty());
    list({"ib_uverbs"});
    EXPECT_EQ(of("module/boot-list").verdict, Verdict::differs);
    apply();
    EXPECT_TRUE(parseBootList(host.files.content(kBootList)).empty());
    host.files.failRead(kBootList, EACCES);
    EXPECT_EQ(of("module/boot-list").verdict, Verdict::unreadable);
}

TEST_F(ModuleBootFile,
       blank_lines_repetition_and_the_other_spelling_load_nothing_else) {
    want({"ib_core", "ib_uverbs"});
    host.files.addFile(kBootList, "ib-core\n\nib_uverbs\nib_core\n");
    EXPECT_FALSE(tells("module/boot-list"));
    EXPECT_TRUE(look().steps.empty());
}

TEST_F(ModuleBootFile, what_the_profile_names_and_this_host_cannot_have_stays_listed) {
    want({"ib_core", "mlx5_core"});
    list({"ib_core", "mlx5_core", "gone"});
    EXPECT_EQ(of("module/mlx5_core").verdict, Verdict::notApplicable);
    EXPECT_THAT(of("module/boot-list").reason, HasSubstr(": gone"));
    apply();
    EXPECT_EQ(parseBootList(host.files.content(kBootList)),
              (std::set<std::string>{"ib_core", "mlx5_core"}));
}

TEST_F(ModuleBootFile, without_modules_in_the_profile_a_list_that_is_left_is_named) {
    EXPECT_TRUE(look().findings.empty());
    list({"ib_core", "ib_uverbs"});
    const Comparison seen = look();
    EXPECT_TRUE(seen.assessments.empty());
    EXPECT_TRUE(seen.steps.empty());
    const Finding* const found = findingIn(seen, "module.left-over-list");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->evidence, "ib_core, ib_uverbs");
    EXPECT_THAT(found->fix, HasSubstr("rm /etc/modules-load.d/fabricctl.conf"));
    list({});
    EXPECT_TRUE(look().findings.empty());
}

}  // namespace
}  // namespace fabric::resource::kernel_module
