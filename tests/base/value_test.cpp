// SPDX-License-Identifier: Apache-2.0
#include "base/value.hpp"

#include <gtest/gtest.h>

namespace fabric {
namespace {

TEST(Value, prints_for_people) {
    EXPECT_EQ(Value{}.toText(), "-");
    EXPECT_EQ(Value("dscp").toText(), "dscp");
    EXPECT_EQ(Value(Value::List{3, 4}).toText(), "[3, 4]");
    EXPECT_EQ(Value(Value::Object{{"26", 3}, {"48", 6}}).toText(), "{26: 3, 48: 6}");
    EXPECT_EQ(Value("a\x1b").toText(), "a\\x1b");
}

TEST(Value, equal_only_when_type_and_content_are) {
    EXPECT_EQ(Value(3), Value(3U));
    EXPECT_NE(Value(3), Value("3"));
    EXPECT_NE(Value(false), Value{});
    EXPECT_EQ(Value(Value::Object{{"a", 1}}).member("a")->asInteger()[0], 1);
    EXPECT_EQ(Value(1).member("a"), nullptr);
}

}  // namespace
}  // namespace fabric
