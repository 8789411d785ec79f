// SPDX-License-Identifier: Apache-2.0
#include "profile/yaml.hpp"

#include "profile/error_case.hpp"

#include <gtest/gtest.h>

#include <random>

namespace fabric::profile {

namespace {

constexpr std::string_view kHead = "version: 1\nname: x\n";

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    text.reserve(piece.size() * times);
    for (std::size_t count = 0; count < times; ++count) {
        text += piece;
    }
    return text;
}

// The one error of a text that gives no tree.
std::string refusal(const std::string& text) {
    const YamlTree tree = readYaml(text, "p");
    EXPECT_FALSE(tree.root);
    EXPECT_EQ(tree.errors.size(), 1U);
    return tree.errors.empty() ? "" : errorLine(tree.errors[0]);
}

TEST(Yaml, keeps_places_quotes_and_nulls_apart) {
    const YamlTree tree =
        readYaml("a: 'text'\nb: 5\nc: [x, {d: ~}]\ne:\nf: null\n", "file");
    ASSERT_TRUE(tree.root);
    EXPECT_EQ(tree.root->find("a")->at.text(), "file:1:4");
    EXPECT_TRUE(tree.root->find("a")->quoted);
    EXPECT_FALSE(tree.root->find("b")->quoted);
    EXPECT_EQ(tree.root->find("c")->items.at(1).find("d")->at.text(), "file:3:12");
    EXPECT_TRUE(tree.root->find("c")->items.at(1).find("d")->isNull());
    EXPECT_FALSE(tree.root->find("c")->items.at(1).find("d")->omitted);
    EXPECT_TRUE(tree.root->find("e")->omitted);
    EXPECT_EQ(tree.root->find("e")->at.text(), "file:4:1");
    EXPECT_FALSE(tree.root->find("f")->omitted);
}

TEST(Yaml, every_duplicate_is_listed_and_the_first_is_kept) {
    const YamlTree tree = readYaml("a: 1\na: 2\nb: {c: 1, c: 2}\na: 3\n", "p");
    ASSERT_TRUE(tree.root);
    EXPECT_EQ(tree.root->find("a")->scalar, "1");
    EXPECT_EQ(errorLines(tree.errors),
              (std::vector<std::string>{
                  "2:1 duplicate key `a`; it is already given on line 1",
                  "3:11 duplicate key `c`; it is already given on line 3",
                  "4:1 duplicate key `a`; it is already given on line 1"}));
}

TEST(Yaml, aliases_are_read_where_they_stand) {
    const YamlTree tree = readYaml("a: &x {b: 1}\nc: *x\nd: [*x, *x]\n", "p");
    ASSERT_TRUE(tree.root);
    EXPECT_EQ(tree.root->member("c.b")->scalar, "1");
    EXPECT_EQ(tree.root->find("d")->items.at(1).find("b")->scalar, "1");
}

TEST(Yaml, tabs_that_indent_are_named) {
    const std::string wanted =
        " a tab indents this line; YAML indents with spaces (did you mean spaces?)";
    EXPECT_EQ(refusal("dcb:\n\ttrust: dscp\n"), "2:7" + wanted);
    EXPECT_EQ(refusal("dcb:\n  trust: dscp\n\tdcbx: host\n"), "3:1" + wanted);
    EXPECT_TRUE(readYaml("a:\t1\nb: {\tc: 2\t}\n", "p").root);
}

TEST(Yaml, bytes_that_are_no_text_are_named_with_their_place) {
    const std::string rest = " has no place in a profile, which is UTF-8 text";
    EXPECT_EQ(refusal(std::string("a: 1\nb: x\0y\n", 12)), "2:5 byte 0x00" + rest);
    EXPECT_EQ(refusal("a: \x1b[31m\n"), "1:4 byte 0x1b" + rest);
    EXPECT_EQ(refusal("a: \xff\n"), "1:4 byte 0xff" + rest);
    EXPECT_EQ(refusal("a: \xc3\xbc\xc3\n"), "1:6 byte 0xc3" + rest);
    EXPECT_EQ(refusal("\xff\xfe" + std::string("a\0:\0", 4)), "1:1 byte 0xff" + rest);
    EXPECT_TRUE(readYaml("a: \xc3\xbc\r\n", "p").root);
    EXPECT_TRUE(readYaml("\xef\xbb\xbf"
                         "a: 1\n",
                         "p")
                    .root);
}

TEST(Yaml, nothing_is_no_profile) {
    const std::string wanted =
        "0:0 the profile is empty; it needs `version: 1` and a name";
    EXPECT_EQ(refusal(""), wanted);
    EXPECT_EQ(refusal("# only a comment\n"), wanted);
    EXPECT_EQ(refusal("---\n"), wanted);
    EXPECT_EQ(refusal("~\n"), wanted);
    EXPECT_EQ(refusal("- a\n"), "1:1 a profile is a map of keys, such as `version: 1`");
    EXPECT_EQ(refusal("word\n"),
              "1:1 a profile is a map of keys, such as `version: 1`");
}

TEST(Yaml, a_second_document_is_refused_where_it_begins) {
    const std::string wanted =
        " a second YAML document begins here; a profile is one document";
    EXPECT_EQ(refusal("a: 1\n---\nb: 1\n"), "2:1" + wanted);
    EXPECT_EQ(refusal("a: 1\n---\n"), "2:1" + wanted);
    EXPECT_TRUE(readYaml("---\na: 1\n...\n", "p").root);
}

TEST(Yaml, what_yaml_can_and_a_profile_must_not_is_refused) {
    EXPECT_EQ(refusal("a: !!int 1\n"),
              "1:4 YAML tag `tag:yaml.org,2002:int`: a profile has no tags");
    EXPECT_EQ(refusal("a: !x [1]\n"), "1:4 YAML tag `!x`: a profile has no tags");
    EXPECT_EQ(refusal("? [a, b]\n: c\n"), "1:3 a key must be one word or number");
    EXPECT_EQ(refusal("~: c\n"), "1:1 a key must be one word or number");
    EXPECT_EQ(refusal("a: &x {b: *x}\n"),
              "1:11 this alias stands inside the value that it names");
    EXPECT_EQ(refusal("a: *x\n"), "1:4 not YAML: the referenced anchor is not defined");
}

TEST(Yaml, a_file_that_was_cut_off_is_refused) {
    const std::string wanted = " the quote that opens here is not closed";
    EXPECT_EQ(refusal("a: \"x\n"), "1:4" + wanted);
    EXPECT_EQ(refusal("a: 'it''s\n"), "1:4" + wanted);
    EXPECT_EQ(refusal("a: \"x\\\"\n"), "1:4" + wanted);
    EXPECT_EQ(refusal("a: &b \"x\n"), "1:4" + wanted);
    EXPECT_TRUE(
        readYaml("a: 'it''s'\nb: \"a \\\" b\"\nc: &d \"x\"\ne: |\n  \"\n", "p").root);
    EXPECT_EQ(refusal("a: x: y\n"),
              "1:5 not YAML: illegal map value; text with special characters needs "
              "quotes");
    EXPECT_NE(refusal("a: [1, 2\n").find("not YAML"), std::string::npos);
    EXPECT_NE(refusal("a: {b: 2\n").find("not YAML"), std::string::npos);
}

TEST(Yaml, more_than_a_mebibyte_is_refused_and_a_mebibyte_is_read) {
    const std::string text(kHead);
    const std::string most = text + std::string(kMaxProfileBytes - text.size(), '#');
    EXPECT_TRUE(readYaml(most, "p").root);
    EXPECT_EQ(refusal(most + "#"), "0:0 larger than 1 MiB, which no profile needs");
    EXPECT_EQ(refusal(text + std::string(std::size_t{10} << 20U, '#')),
              "0:0 larger than 1 MiB, which no profile needs");
}

TEST(Yaml, deep_nesting_ends_early_in_every_style) {
    const std::string wanted = "nested more than 16 deep";
    EXPECT_NE(
        refusal("a: " + repeated("[", 250'000) + repeated("]", 250'000)).find(wanted),
        std::string::npos);
    EXPECT_NE(refusal("a: " + repeated("{a: ", 200'000)).find(wanted),
              std::string::npos);
    EXPECT_NE(refusal(repeated("- ", 500'000)).find(wanted), std::string::npos);
    std::string stairs;
    for (std::size_t depth = 0; depth < 1'000; ++depth) {
        stairs += std::string(depth, ' ') + "a:\n";
    }
    EXPECT_NE(refusal(stairs).find(wanted), std::string::npos);
    EXPECT_TRUE(readYaml("a: " + repeated("[", 15) + repeated("]", 15), "p").root);
}

TEST(Yaml, an_alias_bomb_is_bounded_in_values_and_in_bytes) {
    std::string values = "a: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int level = 1; level < 12; ++level) {
        const std::string below = "*a" + std::to_string(level - 1);
        values += "b" + std::to_string(level) + ": &a" + std::to_string(level) + " [" +
                  below + repeated(", " + below, 8) + "]\n";
    }
    EXPECT_NE(refusal(values).find("aliases expanded"), std::string::npos);
    const std::string bytes = "a: &a \"" + std::string(500'000, 'x') + "\"\nl: [*a" +
                              repeated(", *a", 100'000) + "]\n";
    EXPECT_NE(refusal(bytes).find("aliases expanded"), std::string::npos);
}

TEST(Yaml, odd_but_large_input_ends) {
    for (const std::string& text : {repeated("? ", 100'000),
                                    repeated("-\n", 50'000),
                                    repeated("a: ", 100'000),
                                    repeated("&a ", 100'000),
                                    repeated("%", 100'000),
                                    "a: [" + repeated(",", 100'000),
                                    "{" + repeated(":,", 50'000),
                                    "a: |\n" + repeated("\n", 100'000),
                                    "a: \"" + repeated("\\x", 500'000),
                                    std::string(1'000'000, ' ') + "a"}) {
        const YamlTree tree = readYaml(text, "p");
        EXPECT_EQ(tree.root.has_value(), tree.errors.empty()) << text.substr(0, 20);
    }
}

// Profiles with random bytes changed: always an answer, never a crash, and an error
// always has a message.
TEST(Yaml, changed_bytes_give_a_profile_or_errors) {
    const std::string whole =
        "version: 1\nname: x\nrails: { match: [{ rdma: \"mlx5_*\" }], expect: 8 }\n"
        "dcb:\n  lossless: { priority: 3, dscp: 26 }\n  max-rate: { 3: 100Gbit }\n"
        "service: { environment: &e { A: \"on\" } }\n"
        "overrides:\n  - match: { interface: a }\n    mtu: { min: 4200 }\n";
    constexpr std::string_view kBytes = "\t\n :{}[],&*!|>'\"%@`#-?\\~0a\xff";
    std::mt19937 random(1);
    for (int round = 0; round < 1'000; ++round) {
        std::string text = whole;
        for (int change = 0; change < 3; ++change) {
            text[random() % text.size()] = kBytes[random() % kBytes.size()];
        }
        const auto profile = parse(text, "p");
        if (!profile) {
            ASSERT_FALSE(profile.error().empty()) << text;
            for (const ProfileError& error : profile.error()) {
                ASSERT_FALSE(error.message.empty()) << text;
            }
        }
    }
}

TEST(Messages, cite_hostile_text_escaped_and_cut) {
    const auto lines = errorLines(std::string(kHead) + "pause: { \"a\\e[31m" +
                                  std::string(500, 'x') + "\": 1 }\n");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].find('\x1b'), std::string::npos);
    EXPECT_NE(lines[0].find("`a\\x1b[31mxxx"), std::string::npos) << lines[0];
    EXPECT_LT(lines[0].size(), 150U);
}

TEST(Messages, all_of_ten_thousand_errors_are_listed) {
    std::string text(kHead);
    text += "dcb:\n";
    for (int key = 0; key < 10'000; ++key) {
        text += "  key" + std::to_string(key) + ": 1\n";
    }
    EXPECT_EQ(errorLines(text).size(), 10'000U);
}

}  // namespace

}  // namespace fabric::profile
