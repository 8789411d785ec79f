// SPDX-License-Identifier: Apache-2.0
// tests/cli/bundle_test.py reads an archive with another program's reader.
#include "facts/archive.hpp"

#include "facts/unpacked.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fabric::facts {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::int64_t kTime = 1'700'000'000;

TEST(Archive, holds_its_members_in_their_order_below_one_folder) {
    const std::string block(512, 'x');
    const std::vector<Member> members{
        {"b.txt", "b\n"}, {"sub/empty", ""}, {"sub/block", block}, {"a.txt", "a\n"}};
    const auto archive = packed("top", members, kTime);
    ASSERT_TRUE(archive) << archive.error().message();
    EXPECT_THAT(unpacked(*archive),
                ElementsAre(Pair("top/b.txt", "b\n"),
                            Pair("top/sub/empty", ""),
                            Pair("top/sub/block", block),
                            Pair("top/a.txt", "a\n")));
}

TEST(Archive, the_same_members_give_the_same_bytes) {
    const std::vector<Member> members{{"a", "text"}};
    EXPECT_EQ(packed("top", members, kTime).value(),
              packed("top", members, kTime).value());
    EXPECT_NE(packed("top", members, kTime).value(),
              packed("top", members, kTime + 1).value());
}

TEST(Archive, a_name_that_no_header_holds_is_refused) {
    const std::vector<Member> members{{std::string(100, 'n'), ""}};
    EXPECT_FALSE(packed("top", members, kTime));
}

}  // namespace
}  // namespace fabric::facts
