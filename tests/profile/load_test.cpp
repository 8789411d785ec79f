// SPDX-License-Identifier: Apache-2.0
#include "profile/load.hpp"

#include "fake/fake_files.hpp"
#include "profile/error_case.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::profile {

namespace {

constexpr const char* kText = "version: 1\nname: x\n";
constexpr const char* kPath = "/etc/fabricctl/profile.yaml";

class Load : public testing::Test {
  protected:
    std::vector<std::string> warnings() {
        const auto profile = load(files_, kPath);
        EXPECT_TRUE(profile) << testing::PrintToString(errorLines(profile.error()));
        return profile->warnings();
    }

    std::string refusal(bool strict) {
        const auto profile = load(files_, kPath, {.strict = strict});
        EXPECT_FALSE(profile);
        return profile ? "" : profile.error().at(0).text();
    }

    fake::FakeFiles files_;
};

TEST_F(Load, a_file_of_root_is_read_without_a_word) {
    files_.addFile(kPath, kText);
    EXPECT_TRUE(warnings().empty());
    EXPECT_TRUE(load(files_, kPath, {.strict = true}));
    EXPECT_TRUE(files_.writes().empty());
}

TEST_F(Load, a_missing_file_says_what_was_tried) {
    const std::string text = refusal(false);
    EXPECT_TRUE(text.starts_with("/etc/fabricctl/profile.yaml: error: ")) << text;
    EXPECT_NE(text.find("No such file"), std::string::npos);
}

TEST_F(Load, a_file_of_somebody_else_is_a_warning_and_strictly_an_error) {
    files_.addFile(kPath, kText).owner = 1000;
    EXPECT_EQ(warnings(),
              std::vector<std::string>{"/etc/fabricctl/profile.yaml: it belongs to uid "
                                       "1000, not to root"});
    EXPECT_EQ(
        refusal(true),
        "/etc/fabricctl/profile.yaml: error: not trusted: it belongs to uid 1000, "
        "not to root");
}

TEST_F(Load, a_file_that_others_may_write_is_a_warning_and_strictly_an_error) {
    files_.addFile(kPath, kText).mode = 0664;
    EXPECT_EQ(
        warnings(),
        std::vector<std::string>{"/etc/fabricctl/profile.yaml: its mode 0664 lets "
                                 "its group write it"});
    files_.addFile(kPath, kText).mode = 0646;
    EXPECT_EQ(refusal(true),
              "/etc/fabricctl/profile.yaml: error: not trusted: its mode 0646 lets "
              "everybody write it");
}

TEST_F(Load, links_of_root_are_followed) {
    files_.addFile("/etc/fabricctl/..2026/profile.yaml", kText);
    files_.addLink("/etc/fabricctl/..data", "..2026");
    files_.addLink(kPath, "..data/profile.yaml");
    EXPECT_TRUE(load(files_, kPath, {.strict = true}));
}

TEST_F(Load, a_link_of_somebody_else_is_refused_also_for_a_person) {
    files_.addFile("/etc/fabricctl/real.yaml", kText);
    files_.addLink(kPath, "real.yaml").owner = 1000;
    EXPECT_EQ(
        refusal(false),
        "/etc/fabricctl/profile.yaml: error: not trusted: a symbolic link leads to "
        "it and the link /etc/fabricctl/profile.yaml belongs to uid 1000, not to "
        "root");
}

TEST_F(Load, a_link_through_the_directory_of_somebody_else_is_refused) {
    files_.addFile("/home/eve/p.yaml", kText);
    files_.find("/home/eve")->owner = 1000;
    files_.addLink(kPath, "/home/eve/p.yaml");
    EXPECT_EQ(
        refusal(false),
        "/etc/fabricctl/profile.yaml: error: not trusted: a symbolic link leads to "
        "it and directory /home/eve belongs to uid 1000, not to root");
}

TEST_F(Load, C1_a_link_through_a_directory_that_others_may_write_is_refused) {
    files_.addLink(kPath, "/srv/shared/p.yaml");
    files_.addFile("/srv/shared/p.yaml", kText);
    EXPECT_TRUE(warnings().empty());
    EXPECT_TRUE(load(files_, kPath, {.strict = true}));
    fake::FakeNode& shared = *files_.find("/srv/shared");
    shared.mode = 0777;
    EXPECT_EQ(refusal(false),
              "/etc/fabricctl/profile.yaml: error: not trusted: a symbolic link leads "
              "to it and others than root may write directory /srv/shared");
    shared.mode = 01777;
    EXPECT_TRUE(load(files_, kPath));
    shared.mode = 0775;
    EXPECT_TRUE(load(files_, kPath));
    shared.group = 1000;
    EXPECT_FALSE(load(files_, kPath));
}

TEST_F(Load, B7_a_file_that_the_units_do_not_see_is_told_to_a_person) {
    files_.addLink(kPath, "/root/p.yaml");
    files_.addFile("/root/p.yaml", kText);
    ASSERT_EQ(warnings().size(), 1U);
    EXPECT_TRUE(warnings()[0].starts_with(
        "/etc/fabricctl/profile.yaml: it lies below /root, where the units"));
    // Named as it is, it is a file to try out.
    EXPECT_TRUE(load(files_, "/root/p.yaml")->warnings().empty());
    files_.erase(kPath);
    files_.addFile(kPath, "extends: /root/p.yaml\nversion: 1\nname: y\n");
    ASSERT_EQ(warnings().size(), 1U);
    EXPECT_TRUE(warnings()[0].starts_with("/root/p.yaml: it lies below /root"));
}

TEST_F(Load, B7_a_unit_says_that_it_does_not_see_the_place_behind_a_link) {
    files_.addDirectory("/root");
    files_.addLink(kPath, "../../root/p.yaml");
    EXPECT_NE(refusal(true).find("below /root, which a unit does not see"),
              std::string::npos);
    EXPECT_EQ(refusal(false).find("does not see"), std::string::npos);
    files_.erase(kPath);
    EXPECT_EQ(refusal(true).find("does not see"), std::string::npos);
    files_.addFile(kPath, "extends: /home/p.yaml\nversion: 1\nname: y\n");
    EXPECT_NE(refusal(true).find("below /home, which a unit does not see"),
              std::string::npos);
}

TEST_F(Load, a_directory_of_somebody_else_without_links_is_no_refusal) {
    files_.addFile("/home/eve/p.yaml", kText);
    files_.find("/home/eve")->owner = 1000;
    EXPECT_TRUE(load(files_, "/home/eve/p.yaml", {.strict = true}));
}

TEST_F(Load, a_directory_that_others_may_write_is_as_bad_as_such_a_file) {
    files_.addFile(kPath, kText);
    files_.find("/etc/fabricctl")->mode = 0777;
    EXPECT_EQ(warnings(),
              std::vector<std::string>{"/etc/fabricctl/profile.yaml: others than root "
                                       "may write directory /etc/fabricctl (mode "
                                       "0777), and so replace it"});
    EXPECT_NE(refusal(true).find("others than root may write directory"),
              std::string::npos);
    files_.find("/etc/fabricctl")->mode = 01777;
    EXPECT_TRUE(warnings().empty()) << "only the owner may replace it";
}

TEST_F(Load, what_is_no_regular_file_is_refused) {
    files_.addFile(kPath, kText).type = host::FileStatus::Type::other;
    EXPECT_NE(refusal(false).find("Invalid argument"), std::string::npos);
    files_.erase(kPath);
    files_.addDirectory(kPath);
    EXPECT_NE(refusal(false).find("Is a directory"), std::string::npos);
}

TEST_F(Load, a_large_file_is_not_read) {
    files_.addFile(kPath, std::string((std::size_t{1} << 20U) + 1, '#'));
    EXPECT_EQ(refusal(false),
              "/etc/fabricctl/profile.yaml: error: larger than 1 MiB, which no profile "
              "needs");
}

TEST_F(Load, trust_is_asked_of_every_file_that_is_extended) {
    files_.addFile(kPath, "version: 1\nextends: base.yaml\n");
    files_.addFile("/etc/fabricctl/base.yaml", kText).owner = 1000;
    EXPECT_EQ(warnings(),
              std::vector<std::string>{
                  "/etc/fabricctl/base.yaml: it belongs to uid 1000, not to root"});
    EXPECT_EQ(refusal(true),
              "/etc/fabricctl/profile.yaml:2:10: error: extends "
              "`/etc/fabricctl/base.yaml`: not trusted: it belongs to uid 1000, not to "
              "root");
}

TEST(ProfileErrorText, is_one_line_with_place_and_suggestion) {
    const ProfileError error{.file = "a\nb.yaml",
                             .line = 3,
                             .column = 7,
                             .message = "unknown key `x`",
                             .suggestion = "y"};
    EXPECT_EQ(error.text(),
              "a\\x0ab.yaml:3:7: error: unknown key `x` (did you mean y?)");
}

}  // namespace

}  // namespace fabric::profile
