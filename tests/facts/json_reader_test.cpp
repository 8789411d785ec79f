// SPDX-License-Identifier: Apache-2.0
#include "facts/json_reader.hpp"

#include "facts/hex.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fabric::facts {
namespace {

JsonProblem problemOf(std::string_view text, const JsonBounds& bounds = {}) {
    const auto read = readJson(text, bounds);
    EXPECT_FALSE(read.has_value()) << text;
    return read ? JsonProblem{} : read.error();
}

TEST(JsonReader, every_kind_of_value_arrives) {
    const auto read =
        readJson(R"({"a": [null, true, -3, 2.5, "x\u00e4"], "b": {"c": {}}})");
    ASSERT_TRUE(read.has_value());
    const Value expected =
        Value::Object{{"a", Value::List{Value{}, true, -3, 2.5, "x\u00e4"}},
                      {"b", Value::Object{{"c", Value::Object{}}}}};
    EXPECT_EQ(*read, expected);
}

TEST(JsonReader, what_is_refused_is_named_by_its_pointer) {
    EXPECT_EQ(problemOf(R"({"a": {"b/c": [1, {"d": 1, "d": 2}]}})").place,
              "/a/b~1c/1/d");
    EXPECT_EQ(problemOf(R"({"a": [0, 18446744073709551615]})").place, "/a/1");
    EXPECT_EQ(problemOf(R"({"a": 1e999})").place.empty(), false);
}

TEST(JsonReader, a_number_that_no_64_bits_hold_is_refused_and_not_rounded) {
    EXPECT_NE(problemOf("[9223372036854775808]").what, "");
    EXPECT_NE(problemOf("[123456789012345678901234567890]").what, "");
    EXPECT_TRUE(readJson("[9223372036854775807, -9223372036854775808]").has_value());
}

TEST(JsonReader, broken_syntax_is_named_by_line_and_column) {
    EXPECT_EQ(problemOf("{\n  \"a\": 1,,\n}").place, "line 2, column 10");
    EXPECT_NE(problemOf("").what.find("cut off"), std::string::npos);
    EXPECT_NE(problemOf(R"({"a": [1, 2)").what.find("cut off"), std::string::npos);
    for (const char* const text : {"{} {}",
                                   "[1,]",
                                   "{'a': 1}",
                                   "[01]",
                                   "[NaN]",
                                   "[\"\x01\"]",
                                   "[\"\xff\"]",
                                   "// c\n1",
                                   "\"\\ud800\""}) {
        EXPECT_NE(problemOf(text).place, "") << text;
    }
}

TEST(JsonReader, depth_size_and_number_of_values_are_bounded) {
    std::string deep;
    for (int level = 0; level < 1'000'000; ++level) {
        deep += "[";
    }
    EXPECT_NE(problemOf(deep).what.find("nested deeper"), std::string::npos);
    EXPECT_NE(problemOf("[1, 2, 3]", {.values = 3}).what.find("more than 3 values"),
              std::string::npos);
    EXPECT_NE(problemOf("[1, 2, 3]", {.bytes = 8}).what.find("9 bytes"),
              std::string::npos);
}

TEST(JsonReader, any_string_survives_the_way_through_json) {
    for (const std::string& text : {std::string("plain"),
                                    std::string("hex:00"),
                                    std::string("\xff\xfe", 2),
                                    std::string("a\0b", 3),
                                    std::string("\u202e")}) {
        EXPECT_EQ(fromPortableText(portableText(text)), text);
    }
    EXPECT_FALSE(fromPortableText("hex:0").has_value());
    EXPECT_FALSE(fromPortableText("hex:zz").has_value());
}

}  // namespace
}  // namespace fabric::facts
