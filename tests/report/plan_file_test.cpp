// SPDX-License-Identifier: Apache-2.0
#include "report/plan_file.hpp"

#include "snapshot/seal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace fabric::report {
namespace {

using engine::PlanRecord;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kHash(64, 'a');

PlanRecord plan() {
    return {.made = "2026-01-31T12:00:00Z",
            .host = "node1",
            .bootId = "b",
            .profile = {{.path = "/etc/fabricctl/profile.yaml", .sha256 = kHash}},
            .run = {.only = {resource::Kind::mtu},
                    .rail = "rail1",
                    .maxDisruption = resource::Disturbs::traffic,
                    .oneAtATime = true},
            .properties = {{.id = "mtu/rail1",
                            .state = "drifted",
                            .wanted = 9000,
                            .found = 1500}},
            .steps = {{.rail = "rail1",
                       .summary = "set MTU",
                       .disturbs = "traffic",
                       .ids = {"mtu/rail1"},
                       .fingerprint = kHash}},
            .observed = kHash};
}

std::string replaced(std::string text,
                     const std::string& what,
                     const std::string& with) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), with);
}

// As if it had been written so.
std::string sealed(const std::string& text) {
    auto tree = nlohmann::ordered_json::parse(text);
    tree[snapshot::kSeal] = snapshot::sealOf(tree);
    return tree.dump();
}

std::string refusalOf(const std::string& text) {
    const auto parsed = parsePlan(text);
    return parsed ? "" : parsed.error().message();
}

TEST(PlanFileText, reads_back_as_the_same) {
    const auto read = parsePlan(toJson(plan()));
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->host, "node1");
    EXPECT_EQ(read->profile, plan().profile);
    EXPECT_EQ(read->run.only, plan().run.only);
    EXPECT_EQ(read->run.rail, "rail1");
    EXPECT_EQ(read->run.maxDisruption, resource::Disturbs::traffic);
    EXPECT_TRUE(read->run.oneAtATime);
    EXPECT_EQ(read->properties, plan().properties);
    EXPECT_EQ(read->steps, plan().steps);
    EXPECT_EQ(toJson(*read), toJson(plan()));
}

TEST(PlanFileText, edited_by_hand_it_is_not_what_somebody_read_and_is_refused) {
    const std::string whole = toJson(plan());
    for (const auto& [what, with] : std::vector<std::pair<std::string, std::string>>{
             {R"("disturbs": "traffic")", R"("disturbs": "none")"},
             {"set MTU", "nothing at all"},
             {R"("one_at_a_time": true)", R"("one_at_a_time": false)"},
             {R"("max_disruption": "traffic")", R"("max_disruption": "link")"}}) {
        EXPECT_THAT(refusalOf(replaced(whole, what, with)),
                    HasSubstr("not as it was written"))
            << with;
    }
    EXPECT_EQ(refusalOf(sealed(whole)), "") << "other spaces are no edit";
}

TEST(PlanFileText, cut_off_anywhere_it_is_no_plan) {
    const std::string whole = toJson(plan());
    for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
        EXPECT_NE(refusalOf(whole.substr(0, length)), "") << length;
    }
}

TEST(PlanFileText, a_member_of_another_kind_makes_it_unusable) {
    const std::string whole = toJson(plan());
    const std::vector<std::pair<std::string, std::string>> changes{
        {R"("made": "2026-01-31T12:00:00Z")", R"("made": 1)"},
        {R"("host": "node1")", R"("host": ["node1"])"},
        {R"("rail": "rail1")", R"("rail": null)"},
        {R"("one_at_a_time": true)", R"("one_at_a_time": "yes")"},
        {R"("max_disruption": "traffic")", R"("max_disruption": "nothing")"},
        {R"("summary": "set MTU")", R"("summary": {})"},
        {R"("path": "/etc/fabricctl/profile.yaml")", R"("path": 7)"},
        {R"("steps": [)", R"("steps": null, "x": [)"},
        {R"("resources": [)", R"("resources": {}, "x": [)"},
        {R"("only": [)", R"("only": "mtu", "x": [)"},
        {R"("made": )", R"("mad": )"}};
    for (const auto& [what, with] : changes) {
        EXPECT_THAT(refusalOf(replaced(whole, what, with)),
                    HasSubstr("broken or incomplete"))
            << with;
    }
}

TEST(PlanFileText, another_version_names_both) {
    const std::string text =
        replaced(toJson(plan()), "fabricctl/plan/1", "fabricctl/plan/2\\u001b[31m");
    EXPECT_TRUE(looksLikePlan(text));
    EXPECT_THAT(refusalOf(text), HasSubstr("fabricctl/plan/2"));
    EXPECT_THAT(refusalOf(text), HasSubstr("fabricctl/plan/1"));
    EXPECT_THAT(refusalOf(text), Not(HasSubstr("\x1b")));
}

TEST(PlanFileText, of_strangers_is_refused_or_taken_for_a_profile) {
    EXPECT_FALSE(looksLikePlan("version: 1\nname: x\n"));
    EXPECT_FALSE(looksLikePlan(R"({"schema": "fabricctl/facts/1"})"));
    EXPECT_FALSE(looksLikePlan(std::string(300, ' ') + toJson(plan())));
    for (const std::string& text :
         {std::string(),
          std::string("null"),
          std::string("[]"),
          std::string(R"({"schema": ["fabricctl/plan/1"]})"),
          std::string(R"({"schema": "fabricctl/plan/1"})"),
          std::string("\xff\xfe\0", 3),
          R"({"schema": "fabricctl/plan/1", "made": )" + std::string(200'000, '['),
          R"({"schema": "fabricctl/plan/1", "made": )" + std::string(200'000, '[') +
              std::string(200'000, ']') + "}"}) {
        EXPECT_NE(refusalOf(text), "") << text.substr(0, 60);
    }
}

TEST(PlanFileText, a_number_beyond_64_bits_is_not_taken_for_another_one) {
    const std::string text = sealed(
        replaced(toJson(plan()), "\"found\": 1500", "\"found\": 18446744073709551615"));
    const auto read = parsePlan(text);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->properties.front().found.isNull());
}

TEST(PlanFileText, bytes_that_no_text_holds_compare_after_the_same_way) {
    PlanRecord odd = plan();
    odd.steps.front().summary = "rail\xff";
    odd.properties.front().found = "\xfe";
    const PlanRecord written = asWritten(odd);
    EXPECT_EQ(asWritten(written).properties, written.properties);
    EXPECT_EQ(parsePlan(toJson(odd))->properties, written.properties);
}

}  // namespace
}  // namespace fabric::report
