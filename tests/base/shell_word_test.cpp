// SPDX-License-Identifier: Apache-2.0
#include "base/shell_word.hpp"

#include <gtest/gtest.h>

namespace fabric {
namespace {

TEST(ShellWord, plain_words_stay_and_others_are_quoted) {
    EXPECT_EQ(shellWord("ens1f0np0.100"), "ens1f0np0.100");
    EXPECT_EQ(shellWord("/etc/fabricctl/profile.yaml"), "/etc/fabricctl/profile.yaml");
    EXPECT_EQ(shellWord(""), "''");
    EXPECT_EQ(shellWord("a b"), "'a b'");
    EXPECT_EQ(shellWord("$(reboot);'x'"), R"('$(reboot);'\''x'\''')");
    EXPECT_EQ(shellWord("{a,b}~"), "'{a,b}~'");
    EXPECT_EQ(shellWord("a\x1b[31m'\\\xff"), R"($'a\x1b[31m\x27\x5c\xff')");
    EXPECT_EQ(shellWord("r\u00e9seau"), "'r\u00e9seau'");
}

}  // namespace
}  // namespace fabric
