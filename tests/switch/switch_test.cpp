// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "profile/load.hpp"
#include "switch/cumulus.hpp"
#include "switch/nvue_numbers.hpp"
#include "switch/nvue_output.hpp"
#include "switch/verify.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace fabric::switches {
namespace {

std::string golden(const std::string& name) {
    std::ifstream file(std::string(GOLDEN) + "/" + name);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_FALSE(text.str().empty()) << name;
    return text.str();
}

NvueValues valuesOf(const std::string& name) {
    auto values = parseNvue(golden(name), name);
    EXPECT_TRUE(values) << name;
    return values.value_or(NvueValues{});
}

Wish usual() {
    return {.profile = "site",
            .priority = Priority::of(3),
            .dscp = Dscp::of(26),
            .trafficClass = TrafficClass::of(3)};
}

// id -> what was found, of all checks that do not agree.
std::map<std::string, std::string> wrong(const NvueValues& values) {
    Verdict verdict;
    judgeSwitch(usual(), values, verdict);
    std::map<std::string, std::string> found;
    for (const Check& check : verdict.checks) {
        if (check.agreement != Agreement::agrees) {
            found.emplace(check.id, check.found);
        }
    }
    return found;
}

Result<Wish> wishOfText(const std::string& text) {
    const auto profile = profile::parse(text, "p.yaml");
    EXPECT_TRUE(profile) << text;
    return wishOf(*profile);
}

TEST(NvueOutput, text_and_json_say_the_same) {
    const NvueValues text = valuesOf("roce.txt");
    const NvueValues json = valuesOf("roce.json");
    for (const char* const path : {"enable",
                                   "mode",
                                   "pfc/pfc-priority",
                                   "trust/trust-mode",
                                   "congestion-control/enabled-tc",
                                   "prio-map/3/switch-prio",
                                   "prio-map/3/dscp",
                                   "tc-map/3/traffic-class"}) {
        ASSERT_TRUE(text.contains(path)) << path;
        EXPECT_EQ(text.at(path), json.at(path)) << path;
    }
    EXPECT_EQ(text.at("enable"), "on")
        << "the applied column where the operational is empty";
    EXPECT_FALSE(text.contains("pool-map/0/name"));
}

TEST(NvueOutput, a_threshold_of_the_traffic_class_is_nearer_than_that_of_the_mode) {
    NvueValues values = valuesOf("roce.txt");
    EXPECT_EQ(wrong(values),
              (std::map<std::string, std::string>{{"min-threshold", "146.48 KB"},
                                                  {"max-threshold", "1.43 MB"}}));
    for (const char* const view :
         {"congestion.txt", "congestion-all.txt", "congestion.json"}) {
        NvueValues both = values;
        both.merge(valuesOf(view));
        EXPECT_EQ(wrong(both), (std::map<std::string, std::string>{})) << view;
    }
}

TEST(NvueOutput, what_is_missing_is_unknown_and_what_differs_is_named) {
    NvueValues values = valuesOf("roce.json");
    values.merge(valuesOf("congestion.json"));
    values["mode"] = "lossy";
    values["pfc/pfc-priority"] = "3,4";
    values["pfc/tx-enabled"] = "disabled";
    values["trust/trust-mode"] = "pcp";
    values["prio-map/3/switch-prio"] = "4";
    values["traffic-class/3/ecn"] = "disable";
    values.erase("tc-map/3/traffic-class");
    EXPECT_EQ(
        wrong(values),
        (std::map<std::string, std::string>{{"mode", "lossy"},
                                            {"pfc-priority", "3,4"},
                                            {"pfc-tx", "disabled"},
                                            {"trust", "pcp"},
                                            {"dscp-26", "switch priority 4"},
                                            {"ecn", "disable"},
                                            {"traffic-class", "not in the output"}}));
}

TEST(NvueOutput, sizes_are_compared_as_far_as_they_were_printed) {
    EXPECT_TRUE(isSize("4.00 MB", kMinThreshold));
    EXPECT_TRUE(isSize("4194304 B", kMinThreshold));
    EXPECT_TRUE(isSize("4194304", kMinThreshold));
    EXPECT_TRUE(isSize("1.43 MB", 1'500'000));
    EXPECT_TRUE(isSize("146.48 KB", 150'000));
    EXPECT_FALSE(isSize("3.81 MB", kMinThreshold)) << "4,000,000 bytes";
    EXPECT_FALSE(isSize("4194303 B", kMinThreshold));
    for (const char* const text : {"", "MB", "4.0.0 MB", "4 apples", "-", "1e6"}) {
        EXPECT_FALSE(isSize(text, kMinThreshold)) << text;
    }
    EXPECT_EQ(numbersOf("24-26,30"), (std::set<unsigned>{24, 25, 26, 30}));
    EXPECT_EQ(numbersOf("-"), std::set<unsigned>{});
    EXPECT_EQ(numbersOf("64,x,3-"), std::set<unsigned>{});
}

// Found by fuzz_switch.
TEST(NvueOutput, a_member_that_stands_twice_is_refused_with_its_name_escaped) {
    const auto read = parseNvue("{\"a\x7f\x1b[31m\": 1, \"a\x7f\x1b[31m\": 2}", "x");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().message(), escapeForTerminal(read.error().message()));
    const auto twice = parseNvue("{\"a\x7f\": 1, \"a\x7f\": 2}", "x");
    ASSERT_FALSE(twice.has_value());
    EXPECT_NE(twice.error().message().find("/a\\x7f: the member stands there twice"),
              std::string::npos)
        << twice.error().message();
}

TEST(NvueOutput, what_is_no_output_is_an_error) {
    for (const char* const text :
         {"", "{", "{}", "[]", "Error: no such command\n", "{\"a\": 1} x"}) {
        const auto values = parseNvue(text, "f");
        EXPECT_FALSE(values) << text;
    }
    EXPECT_FALSE(parseNvue(std::string((1U << 20U) + 1, 'x'), "f"));
}

TEST(Cumulus, only_what_its_lossless_mode_has_is_rendered) {
    const std::string head = "version: 1\nname: site\n";
    const auto usualWish =
        wishOfText(head + "dcb: { lossless: { priority: 3, dscp: 26, buffer: 1 } }\n");
    ASSERT_TRUE(usualWish);
    EXPECT_EQ(commandsFor(*usualWish).set.front(), "nv config save");
    EXPECT_TRUE(wishOfText(head + "dcb: { pfc: [3], dscp-to-priority: { 30: 3 } }\n"));
    EXPECT_FALSE(
        wishOfText(head + "dcb: { lossless: { priority: 4, dscp: 32, buffer: 1 } }\n"));
    EXPECT_FALSE(
        wishOfText(head + "dcb: { lossless: { priority: 3, dscp: 40, buffer: 1 } }\n"));
    EXPECT_FALSE(wishOfText(head + "dcb: { trust: dscp }\n"));
    EXPECT_FALSE(wishOfText(head + "mtu: 9000\n"));
}

}  // namespace
}  // namespace fabric::switches
