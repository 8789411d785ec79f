// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <gtest/gtest.h>

namespace fabric {
namespace {

TEST(EscapeForTerminal, keeps_text_and_escapes_control_bytes_and_bad_utf8) {
    EXPECT_EQ(escapeForTerminal("ens1f0 \xc3\xa9"), "ens1f0 \xc3\xa9");
    EXPECT_EQ(escapeForTerminal("a\x1b[31m\n\x7f"), "a\\x1b[31m\\x0a\\x7f");
    EXPECT_EQ(escapeForTerminal("\xff\xc3"), "\\xff\\xc3");
    EXPECT_EQ(escapeForTerminal("\xc2\x9b"), "\\xc2\\x9b");
    EXPECT_EQ(escapeForTerminal("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    EXPECT_EQ(escapeForTerminal("a\u202Eb"), "a\\xe2\\x80\\xaeb");
    EXPECT_EQ(escapeForTerminal("\u2028\u2069"), "\\xe2\\x80\\xa8\\xe2\\x81\\xa9");
}

TEST(GlobMatches, star_question_mark_and_sets) {
    EXPECT_TRUE(globMatches("mlx5_*", "mlx5_0"));
    EXPECT_TRUE(globMatches("ens*f0np0", "ens1f0np0"));
    EXPECT_FALSE(globMatches("ens*f0np0", "ens1f1np1"));
    EXPECT_TRUE(globMatches("*", ""));
    EXPECT_TRUE(globMatches("eth[0-3]", "eth2"));
    EXPECT_FALSE(globMatches("eth[0-3]", "eth4"));
    EXPECT_TRUE(globMatches("e?h*", "eth"));
    EXPECT_FALSE(globMatches("", "x"));
    EXPECT_TRUE(globMatches("*a*b*c", "xxaxbxbxc"));
}

TEST(NearestWord, suggests_only_what_is_near) {
    const std::vector<std::string> words{"trust", "lossless", "pfc"};
    EXPECT_EQ(nearestWord("trsut", words), "trust");
    EXPECT_EQ(nearestWord("losless", words), "lossless");
    EXPECT_EQ(nearestWord("pfcc", words), "pfc");
    EXPECT_FALSE(nearestWord("zebra", words));
    EXPECT_EQ(nearestWord("losles", words, 2), "lossless");
    EXPECT_FALSE(nearestWord("losles", words, 1));
    EXPECT_EQ(nearestWord("dcsp", std::vector<std::string>{"pcp", "dscp"}), "dscp");
}

TEST(NearestWord, a_word_of_a_megabyte_is_near_to_nothing_and_costs_nothing) {
    const std::vector<std::string> words(1000, "priority-to-buffer");
    EXPECT_FALSE(nearestWord(std::string(std::size_t{1} << 20U, 'p'), words));
}

TEST(ParseUnsigned, takes_whole_numbers_only) {
    EXPECT_EQ(parseUnsigned("18"), 18U);
    EXPECT_EQ(parseUnsigned("1d", 16), 0x1dU);
    EXPECT_FALSE(parseUnsigned(""));
    EXPECT_FALSE(parseUnsigned("-1"));
    EXPECT_FALSE(parseUnsigned("1 "));
    EXPECT_FALSE(parseUnsigned("99999999999999999999999"));
}

TEST(Utf8Length, tells_multi_byte_characters_from_everything_else) {
    EXPECT_EQ(utf8Length("a\xC3\xBC", 1), 2U);
    EXPECT_EQ(utf8Length("\xE2\x82\xAC", 0), 3U);
    EXPECT_EQ(utf8Length("a", 0), 0U);
    EXPECT_EQ(utf8Length("\xC0\x80", 0), 0U);
    EXPECT_EQ(utf8Length("\xC2\x85", 0), 0U);
    EXPECT_EQ(utf8Length("\xE2\x82", 0), 0U);
}

}  // namespace
}  // namespace fabric
