// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_files.hpp"
#include "profile/error_case.hpp"
#include "profile/load.hpp"

#include <gtest/gtest.h>

namespace fabric::profile {

namespace {

const RailIdentity kRail{
    .rdma = "mlx5_0", .interface = "ens1f0np0", .driver = "mlx5_core"};

class Layers : public testing::Test {
  protected:
    // Under /p, where everything is root's.
    void add(const std::string& name, const std::string& text) {
        files_.addFile("/p/" + name, text);
    }

    ProfileResult<Profile> read(const std::string& name = "site.yaml") {
        return load(files_, "/p/" + name);
    }

    RailSettings settings() {
        const auto profile = read();
        EXPECT_TRUE(profile) << testing::PrintToString(errorLines(profile.error()));
        return profile->settingsFor(kRail).value();
    }

    std::vector<std::string> errors(const std::string& name = "site.yaml") {
        std::vector<std::string> lines;
        const auto profile = read(name);
        if (!profile) {
            for (const ProfileError& error : profile.error()) {
                lines.push_back(error.file + ":" + errorLine(error));
            }
        }
        return lines;
    }

    fake::FakeFiles files_;
};

TEST_F(Layers, maps_merge_by_key_and_lists_replace) {
    add("base.yaml",
        "version: 1\nname: base\nmodules: [a, b]\n"
        "dcb: { dscp-to-priority: { 26: 3, 10: 1 }, pfc: [3, 4] }\n");
    add("site.yaml",
        "version: 1\nextends: base.yaml\nmodules: [c]\n"
        "dcb: { dscp-to-priority: { 10: 2 }, pfc: [5], trust: keep }\n");
    const RailSettings merged = settings();
    EXPECT_EQ(merged.dcb->dscpToPriority->value,
              (std::map<Dscp, Priority>{{Dscp::of(26), Priority::of(3)},
                                        {Dscp::of(10), Priority::of(2)}}));
    EXPECT_EQ(merged.dcb->pfc->value, std::set<Priority>{Priority::of(5)});
    EXPECT_EQ(merged.dcb->trust.value, Trust::keep);
    EXPECT_EQ(read()->host().modules, std::vector<std::string>{"c"});
    EXPECT_EQ(read()->name(), "base");
    EXPECT_EQ(read()->path(), "/p/site.yaml");
}

TEST_F(Layers, the_outer_name_wins) {
    add("base.yaml", "version: 1\nname: base\n");
    add("site.yaml", "version: 1\nname: site\nextends: base.yaml\n");
    EXPECT_EQ(read()->name(), "site");
}

TEST_F(Layers, null_leaves_a_section_unowned) {
    add("base.yaml", "version: 1\nname: base\ndcb: { pfc: [3] }\narp: {}\n");
    add("site.yaml", "version: 1\nextends: base.yaml\narp: null\n");
    EXPECT_FALSE(settings().arp);
    EXPECT_TRUE(settings().dcb);
    EXPECT_FALSE(read()->owns("arp"));
}

TEST_F(Layers, null_leaves_a_key_unowned_although_lossless_would_derive_it) {
    add("base.yaml", "version: 1\nname: base\ndcb: { lossless: {} }\necn: {}\n");
    add("site.yaml",
        "version: 1\nextends: base.yaml\ndcb: { priority-to-buffer: null }\n"
        "ecn: { reaction-point: null }\n");
    const RailSettings merged = settings();
    EXPECT_FALSE(merged.dcb->priorityToBuffer);
    EXPECT_TRUE(merged.dcb->pfc);
    EXPECT_FALSE(merged.ecn->reactionPoint);
    EXPECT_TRUE(merged.ecn->notificationPoint);
}

TEST_F(Layers, null_brings_a_policy_back_to_its_default) {
    add("base.yaml", "version: 1\nname: base\nneighbours: { flush: never }\n");
    add("site.yaml", "version: 1\nextends: base.yaml\nneighbours: { flush: null }\n");
    EXPECT_EQ(settings().neighbours->flush, FlushMode::whenChanged);
}

TEST_F(Layers, null_takes_one_entry_out_of_a_map) {
    add("base.yaml",
        "version: 1\nname: b\nservice: { environment: { A: \"1\", B: \"2\" } }\n");
    add("site.yaml",
        "version: 1\nextends: base.yaml\nservice: { environment: { A: null } }\n");
    EXPECT_EQ(read()->host().service->environment,
              (std::map<std::string, std::string>{{"B", "2"}}));
}

TEST_F(Layers, a_section_replaces_a_value_and_the_other_way_round) {
    add("base.yaml", "version: 1\nname: b\nmtu: 9000\nrails: { expect: { min: 2 } }\n");
    add("site.yaml",
        "version: 1\nextends: base.yaml\nmtu: { min: 4200 }\nrails: { expect: 4 }\n");
    EXPECT_TRUE(settings().mtu->atLeast);
    EXPECT_EQ(settings().mtu->bytes, 4200U);
    EXPECT_EQ(read()->rails().expectMin, 4U);
    EXPECT_EQ(read()->rails().expectMax, 4U);
}

TEST_F(Layers, extends_is_relative_to_the_including_file_or_absolute) {
    add("shipped/inner.yaml", "version: 1\nname: inner\nmtu: 1500\n");
    add("shipped/base.yaml", "version: 1\nextends: inner.yaml\n");
    add("site.yaml", "version: 1\nextends: shipped/base.yaml\n");
    EXPECT_EQ(settings().mtu->bytes, 1500U);
    add("site.yaml", "version: 1\nextends: /p/shipped/base.yaml\n");
    EXPECT_EQ(settings().mtu->bytes, 1500U);
}

TEST_F(Layers, errors_of_every_file_are_listed) {
    add("base.yaml", "version: 1\nname: b\nmtuu: 1\n");
    add("site.yaml", "version: 1\nextends: base.yaml\narpp: {}\n");
    EXPECT_EQ(
        errors(),
        (std::vector<std::string>{
            "/p/base.yaml:3:1 unknown key `mtuu` in a profile (did you mean mtu?)",
            "/p/site.yaml:3:1 unknown key `arpp` in a profile (did you mean "
            "arp?)"}));
}

TEST_F(Layers, a_contradiction_is_blamed_on_the_outer_file) {
    add("base.yaml", "version: 1\nname: b\ndcb: { pfc: [4] }\n");
    add("site.yaml",
        "version: 1\nextends: base.yaml\ndcb:\n  lossless: { priority: 3 }\n");
    EXPECT_EQ(errors(),
              std::vector<std::string>{
                  "/p/site.yaml:4:25 dcb.lossless.priority 3 contradicts dcb.pfc "
                  "without 3 at /p/base.yaml:3:13"});
}

TEST_F(Layers, a_missing_file_is_an_error_at_extends) {
    add("site.yaml", "version: 1\nname: x\nextends: none.yaml\nmtuu: 1\n");
    const auto lines = errors();
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(lines[0].starts_with("/p/site.yaml:3:10 extends `/p/none.yaml`: "))
        << lines[0];
    EXPECT_NE(lines[0].find("No such file"), std::string::npos);
}

TEST_F(Layers, a_circle_is_an_error_also_through_a_link) {
    add("site.yaml", "version: 1\nname: x\nextends: site.yaml\n");
    EXPECT_EQ(errors(),
              std::vector<std::string>{"/p/site.yaml:3:10 extends `/p/site.yaml` in a "
                                       "circle: it leads back here"});
    add("site.yaml", "version: 1\nname: x\nextends: link.yaml\n");
    files_.addLink("/p/link.yaml", "site.yaml");
    EXPECT_EQ(errors(),
              std::vector<std::string>{"/p/site.yaml:3:10 extends `/p/link.yaml` in a "
                                       "circle: it leads back here"});
}

TEST_F(Layers, eight_files_deep_is_read_and_nine_is_an_error) {
    add("0.yaml", "version: 1\nname: x\nmtu: 1500\n");
    for (int depth = 1; depth <= 9; ++depth) {
        add(std::to_string(depth) + ".yaml",
            "version: 1\nextends: " + std::to_string(depth - 1) + ".yaml\n");
    }
    EXPECT_EQ(errors("8.yaml"), std::vector<std::string>{});
    EXPECT_EQ(
        errors("9.yaml"),
        std::vector<std::string>{"/p/1.yaml:2:10 extends more than 8 files deep"});
}

TEST_F(Layers, a_text_alone_does_not_reach_for_files) {
    const auto profile = parse("version: 1\nname: x\nextends: /etc/passwd\n", "p");
    ASSERT_FALSE(profile);
    EXPECT_EQ(errorLine(profile.error()[0]),
              "3:10 extends `/etc/passwd`: no other file is read here");
}

std::string overridesOf(const std::string& first, const std::string& second) {
    return "version: 1\nname: x\nmtu: 9000\ndcb: { lossless: {} }\noverrides:\n"
           "  - match: { interface: \"ens*\" }\n    " +
           first + "\n  - match: { driver: mlx5_core }\n    " + second + "\n";
}

TEST(Overrides, merge_deeply_over_the_sections) {
    const auto profile = parse(
        overridesOf("dcb: { cable-length: 30m }", "dcb: { max-rate: { 0: 1Gbit } }"),
        "p");
    ASSERT_TRUE(profile);
    const auto rail = profile->settingsFor(kRail);
    ASSERT_TRUE(rail);
    EXPECT_EQ(rail->dcb->cableLength->count, 30U);
    EXPECT_EQ(rail->dcb->maxRate->size(), 1U);
    EXPECT_TRUE(rail->dcb->pfc);
    EXPECT_EQ(rail->mtu->bytes, 9000U);
    EXPECT_FALSE(profile->settingsFor(RailIdentity{.interface = "eth0"})->dcb->maxRate);
}

TEST(Overrides, that_set_one_key_for_one_rail_are_an_error) {
    const auto profile = parse(overridesOf("mtu: 1500", "mtu: 4200"), "p");
    ASSERT_TRUE(profile) << "they meet on some hosts only";
    const auto rail = profile->settingsFor(kRail);
    ASSERT_FALSE(rail);
    EXPECT_EQ(
        errorLines(rail.error()),
        std::vector<std::string>{
            "9:5 two overrides set mtu for the same rail; the other is at p:7:10"});
    EXPECT_EQ(profile->settingsFor(RailIdentity{.interface = "ens2"})->mtu->bytes,
              1500U);
}

TEST(Overrides, that_set_a_section_and_a_key_in_it_are_an_error) {
    const auto profile = parse(overridesOf("dcb: null", "dcb: { trust: keep }"), "p");
    EXPECT_EQ(
        errorLines(profile->settingsFor(kRail).error()),
        std::vector<std::string>{
            "9:5 two overrides set dcb for the same rail; the other is at p:7:10"});
}

TEST(Overrides, that_contradict_only_together_are_blamed_for_that_rail) {
    const auto profile = parse(overridesOf("dcb: { ets: { tsa: { 3: strict } } }",
                                           "dcb: { ets: { bandwidth: { 3: 100 } } }"),
                               "p");
    ASSERT_TRUE(profile) << testing::PrintToString(errorLines(profile.error()));
    const auto lines = errorLines(profile->settingsFor(kRail).error());
    ASSERT_FALSE(lines.empty());
    EXPECT_TRUE(lines[0].starts_with("9:")) << lines[0];
    EXPECT_FALSE(profile->effectiveFor(kRail));
}

TEST(Overrides, own_a_section_that_stands_nowhere_else) {
    const auto profile = parse(
        "version: 1\nname: x\noverrides:\n  - match: { interface: a }\n    pause: {}\n",
        "p");
    ASSERT_TRUE(profile);
    EXPECT_TRUE(profile->owns("pause"));
    EXPECT_FALSE(profile->owns("dcb"));
    EXPECT_FALSE(profile->settingsFor(kRail)->pause);
    EXPECT_EQ(profile->settingsFor(RailIdentity{.interface = "a"})->pause->rx, false);
}

TEST(Selector, needs_every_key_and_never_matches_what_is_unknown) {
    RailSelector selector;
    selector.interface = "ens*f0np0";
    selector.driver = "mlx5_core";
    EXPECT_TRUE(matches(selector, kRail));
    EXPECT_FALSE(matches(selector, {.interface = "ens1f0np0", .driver = "bnxt_en"}));
    EXPECT_FALSE(matches(selector, {.interface = "ens1f0np0"}));
    RailSelector rdma;
    rdma.rdma = "*";
    EXPECT_TRUE(matches(rdma, kRail));
    EXPECT_FALSE(matches(rdma, {.interface = "ens1f0np0"}));
}

TEST(Selector, takes_hexadecimal_in_either_case_and_names_exactly) {
    RailSelector mac;
    mac.mac = "B8:CE:F6:*";
    EXPECT_TRUE(matches(mac, {.mac = "b8:ce:f6:00:00:01"}));
    RailSelector vendor;
    vendor.vendor = "15B3";
    EXPECT_TRUE(matches(vendor, {.vendor = "15b3"}));
    RailSelector name;
    name.interface = "ENS1";
    EXPECT_FALSE(matches(name, {.interface = "ens1"}));
}

TEST(Selector, prints_as_it_is_written) {
    RailSelector selector;
    selector.rdma = "mlx5_*";
    selector.numaNode = "0";
    EXPECT_EQ(selector.text(), "{ rdma: mlx5_*, numa-node: 0 }");
}

}  // namespace

}  // namespace fabric::profile
