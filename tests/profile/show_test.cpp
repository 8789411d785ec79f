// SPDX-License-Identifier: Apache-2.0
#include "profile/show.hpp"

#include "fake/fake_files.hpp"
#include "profile/error_case.hpp"
#include "profile/initial.hpp"
#include "profile/load.hpp"
#include "profile/texts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace fabric::profile {

namespace {

const std::array kRails{RailIdentity{.rdma = "mlx5_0", .interface = "ens1f0np0"},
                        RailIdentity{.rdma = "mlx5_1", .interface = "ens2f0np0"}};

Profile read(std::string_view text) {
    auto profile = parse(text, "p");
    EXPECT_TRUE(profile) << testing::PrintToString(errorLines(profile.error())) << text;
    return std::move(*profile);
}

// What is shown says the same as the profile, for every rail and the host.
void expectSame(const Profile& profile, const std::string& shown) {
    const Profile again = read(shown);
    EXPECT_EQ(again.effectiveHost(), profile.effectiveHost()) << shown;
    for (const RailIdentity& rail : kRails) {
        EXPECT_EQ(again.effectiveFor(rail).value(), profile.effectiveFor(rail).value())
            << shown;
    }
}

TEST(Show, loads_again_and_means_the_same) {
    const Profile whole = read(kWholeProfile);
    expectSame(whole, showProfile(whole, kRails).value());
    expectSame(whole, showProfile(whole, {}).value());
    const Profile small = read(
        "version: 1\nname: \"on\"\ndescription: |\n  two: lines\n  # no comment\n"
        "dcb: { lossless: {}, pfc: null }\necn: {}\n"
        "arp: {}\nneighbours: {}\npause: {}\nacs: {}\n"
        "service: { environment: { A: \"true\", B: \"5\", C: \"\", D: off, E: \"a: "
        "b\",\n"
        "                          F: \" x \", G: \"#\" } }\n");
    expectSame(small, showProfile(small, kRails).value());
}

TEST(Show, says_what_was_filled_in) {
    const std::string text =
        showProfile(read("version: 1\nname: x\ndcb: { lossless: {} }\necn: {}\n"),
                    kRails)
            .value();
    for (const std::string_view line :
         {"# rails: ens1f0np0, ens2f0np0\n",
          "  trust: dscp  # default\n",
          "    priority: 3  # default\n",
          "  pfc: [3]  # from dcb.lossless\n",
          "  dscp-to-priority: {26: 3}  # from dcb.lossless\n",
          "  reaction-point: [3]  # from dcb.lossless\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

TEST(Show, sections_are_shown_where_no_rail_is_selected) {
    const Profile profile = read(
        "version: 1\nname: x\nmtu: 9000\n"
        "overrides:\n  - match: { interface: ens1 }\n    mtu: 4200\n");
    const Value sections = sectionsForNoRail(profile);
    const Value::Object& shown = *sections.asObject();
    EXPECT_EQ(shown.at("mtu"), Value(9000));
    ASSERT_EQ(shown.at("overrides").asList()->size(), 1U);
    EXPECT_EQ(shown.at("overrides").asList()->front().asObject()->at("mtu"),
              Value(4200));
}

TEST(Show, lists_rails_apart_only_when_they_differ) {
    const std::string equal =
        showProfile(read("version: 1\nname: x\nmtu: 9000\n"), kRails).value();
    EXPECT_EQ(equal.find("overrides"), std::string::npos);
    const std::string apart = showProfile(read(kWholeProfile), kRails).value();
    EXPECT_NE(apart.find("  - match: {interface: ens1f0np0}\n"), std::string::npos);
    EXPECT_NE(apart.find("  - match: {interface: ens2f0np0}\n"), std::string::npos);
}

TEST(Show, a_rail_without_interface_goes_by_its_rdma_device) {
    const std::array rails{RailIdentity{.rdma = "mlx5_[0]"}, kRails[0]};
    const std::string text = showProfile(read(kWholeProfile), rails).value();
    EXPECT_NE(text.find("mlx5_[[]0]"), std::string::npos) << text;
    EXPECT_EQ(read(text).settingsFor(rails[0])->mtu->bytes, 9000U);
}

TEST(Show, lists_the_errors_of_every_rail) {
    const auto shown =
        showProfile(read("version: 1\nname: x\noverrides:\n"
                         "  - match: { interface: \"ens*\" }\n    mtu: 1500\n"
                         "  - match: { rdma: mlx5_0 }\n    mtu: 2000\n"
                         "  - match: { rdma: mlx5_1 }\n    mtu: 3000\n"),
                    kRails);
    ASSERT_FALSE(shown);
    EXPECT_EQ(errorLines(shown.error()),
              (std::vector<std::string>{
                  "7:5 two overrides set mtu for the same rail; the other is at p:5:10",
                  "9:5 two overrides set mtu for the same rail; the other is at "
                  "p:5:10"}));
}

TEST(Effective, values_have_their_types) {
    const Profile profile = read(kWholeProfile);
    const Value rail = profile.effectiveFor(kRails[1]).value();
    EXPECT_EQ(*rail.member("mtu"), Value(9000));
    EXPECT_EQ(*rail.member("dcb")->member("dscp-to-priority"),
              (Value(Value::Object{{"26", 3}})));
    EXPECT_EQ(*rail.member("pause")->member("rx"), Value("off"));
    EXPECT_EQ(*rail.member("arp")->member("persist"), Value(true));
    EXPECT_EQ(*rail.member("arp")->member("rp-filter"), Value("keep"));
    EXPECT_EQ(rail.member("acs"), nullptr);
    const Value host = profile.effectiveHost();
    EXPECT_EQ(*host.member("name"), Value("minio-roce-lossless"));
    EXPECT_EQ(host.member("dcb"), nullptr);
    EXPECT_EQ(host.member("overrides"), nullptr);
}

// The profile that init writes, read back as a file of root.
void expectClean(const InitFacts& facts) {
    const std::string text = initialProfile(facts);
    fake::FakeFiles files;
    files.addFile("/p.yaml", text);
    const auto profile = load(files, "/p.yaml", {.strict = true});
    ASSERT_TRUE(profile) << testing::PrintToString(errorLines(profile.error())) << text;
    EXPECT_TRUE(profile->warnings().empty());
}

InitFacts twoRails() {
    return InitFacts{
        .hostName = "node1",
        .rails = {{"ens1f0np0", "mlx5_0", "mlx5_core", "15b3", "0000:1a:00.0"},
                  {"ens2f0np0", "mlx5_1", "mlx5_core", "15b3", "0000:2a:00.0"}},
        .hasGpu = true,
        .losslessPriority = Priority::of(4),
        .losslessDscp = Dscp::of(34)};
}

TEST(Init, profile_of_a_host_says_what_was_seen) {
    expectClean(twoRails());
    const Profile profile = read(initialProfile(twoRails()));
    EXPECT_EQ(profile.name(), "node1-fabric");
    EXPECT_EQ(profile.rails().match.size(), 2U);
    EXPECT_EQ(profile.rails().expectMin, 2U);
    const auto rail = profile.settingsFor(kRails[0]);
    EXPECT_EQ(rail->dcb->lossless->priority, Priority::of(4));
    EXPECT_EQ(rail->dcb->lossless->dscp, Dscp::of(34));
    EXPECT_TRUE(rail->arp);
    EXPECT_TRUE(profile.host().acs);
    // Nothing loads modules yet, so the section is a proposal only.
    EXPECT_FALSE(profile.host().modules);
    EXPECT_TRUE(initialProfile(twoRails()).contains("#   - \"mlx5_ib\"\n"));
}

TEST(Init, profile_of_a_host_without_anything_is_clean) {
    expectClean({});
    const Profile profile = read(initialProfile({}));
    EXPECT_FALSE(profile.host().acs);
    EXPECT_TRUE(profile.rails().match.empty());
    EXPECT_EQ(profile.settingsFor({})->dcb->lossless->dscp, Dscp::of(26));
}

TEST(Init, takes_the_rdma_driver_of_each_vendor) {
    InitFacts facts;
    facts.rails = {{.interface = "a", .driver = "bnxt_en"},
                   {.interface = "b", .driver = "ice"}};
    const std::string text = initialProfile(facts);
    for (const std::string name : {"bnxt_en", "bnxt_re", "ice", "irdma"}) {
        EXPECT_TRUE(text.contains("#   - \"" + name + "\"\n")) << name;
    }
}

TEST(Init, selects_exactly_the_rail_whatever_it_is_called) {
    for (const std::string name : {"a*b",
                                   "x[1]",
                                   "what?",
                                   "0x10",
                                   "null",
                                   "on",
                                   "#1",
                                   "a: b",
                                   "'",
                                   "br\xc3\xbc"}) {
        InitFacts facts;
        facts.rails = {{.interface = name, .pci = "0000:01:00.0"}};
        expectClean(facts);
        const Profile profile = read(initialProfile(facts));
        ASSERT_EQ(profile.rails().match.size(), 1U) << name;
        EXPECT_TRUE(matches(profile.rails().match[0],
                            {.interface = name, .pci = "0000:01:00.0"}))
            << name;
        EXPECT_FALSE(matches(profile.rails().match[0],
                             {.interface = name + "x", .pci = "0000:02:00.0"}))
            << name;
    }
}

TEST(Init, survives_hostile_facts) {
    const std::string bad = "\x1b[31m\n\"\\: {}\xff\t#";
    expectClean(
        {.hostName = bad, .rails = {{bad, bad, bad, bad, bad}}, .hasGpu = true});
    expectClean({.hostName = std::string(500, 'h'),
                 .rails = {{std::string(500, 'i'), "", "", "", ""}}});
}

}  // namespace

}  // namespace fabric::profile
