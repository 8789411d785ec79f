// SPDX-License-Identifier: Apache-2.0
#include "profile/error_case.hpp"
#include "profile/load.hpp"

#include <gtest/gtest.h>

namespace fabric::profile {

namespace {

Profile read(const std::string& sections) {
    auto profile = parse("version: 1\nname: x\n" + sections, "p");
    EXPECT_TRUE(profile) << testing::PrintToString(errorLines(profile.error()));
    return std::move(*profile);
}

RailSettings railOf(const std::string& sections) {
    return read(sections).settingsFor(RailIdentity{.interface = "ens1"}).value();
}

TEST(Derivation, from_lossless_fills_pfc_map_buffers_and_ecn) {
    const RailSettings rail =
        railOf("dcb: { lossless: { priority: 4, dscp: 34, buffer: 2 } }\necn: {}\n");
    const DcbSettings& dcb = *rail.dcb;
    EXPECT_EQ(dcb.pfc,
              (Setting<std::set<Priority>>{{Priority::of(4)}, Origin::derived}));
    EXPECT_EQ(dcb.dscpToPriority,
              (Setting<std::map<Dscp, Priority>>{{{Dscp::of(34), Priority::of(4)}},
                                                 Origin::derived}));
    ASSERT_TRUE(dcb.priorityToBuffer);
    EXPECT_EQ(dcb.priorityToBuffer->origin, Origin::derived);
    EXPECT_EQ(dcb.priorityToBuffer->value.size(), 8U);
    for (const auto& [priority, buffer] : dcb.priorityToBuffer->value) {
        EXPECT_EQ(buffer.number(), priority.number() == 4 ? 2 : 0);
    }
    EXPECT_EQ(rail.ecn->reactionPoint,
              (Setting<std::set<Priority>>{{Priority::of(4)}, Origin::derived}));
    EXPECT_EQ(rail.ecn->notificationPoint,
              (Setting<std::set<Priority>>{{Priority::of(4)}, Origin::derived}));
}

TEST(Derivation, of_an_empty_lossless_takes_the_usual_numbers) {
    const DcbSettings dcb = *railOf("dcb: { lossless: {} }\n").dcb;
    EXPECT_EQ(dcb.lossless->priority.number(), 3);
    EXPECT_EQ(dcb.lossless->dscp.number(), 26);
    EXPECT_EQ(dcb.lossless->buffer.number(), 1);
}

TEST(Derivation, leaves_explicit_values_explicit) {
    const RailSettings rail = railOf(
        "dcb: { lossless: {}, pfc: [3, 4], trust: dscp,\n"
        "       priority-to-buffer: { 3: 1 } }\necn: { reaction-point: [3] }\n");
    EXPECT_TRUE(rail.dcb->pfc->isExplicit());
    EXPECT_EQ(rail.dcb->pfc->value.size(), 2U);
    EXPECT_TRUE(rail.dcb->trust.isExplicit());
    EXPECT_TRUE(rail.dcb->priorityToBuffer->isExplicit());
    EXPECT_EQ(rail.dcb->priorityToBuffer->value.size(), 1U);
    EXPECT_TRUE(rail.ecn->reactionPoint->isExplicit());
    EXPECT_FALSE(rail.ecn->notificationPoint->isExplicit());
    EXPECT_FALSE(rail.dcb->dcbx.isExplicit());
    EXPECT_FALSE(rail.dcb->otherDscp.isExplicit());
}

TEST(Derivation, without_lossless_owns_nothing_more) {
    const RailSettings rail = railOf("dcb: {}\necn: {}\n");
    EXPECT_EQ(rail.dcb->trust, (Setting<Trust>{Trust::dscp, Origin::derived}));
    EXPECT_EQ(rail.dcb->dcbx, (Setting<DcbxOwner>{DcbxOwner::host, Origin::derived}));
    EXPECT_FALSE(rail.dcb->pfc);
    EXPECT_FALSE(rail.dcb->dscpToPriority);
    EXPECT_FALSE(rail.dcb->priorityToBuffer);
    EXPECT_FALSE(rail.ecn->reactionPoint);
    EXPECT_EQ(rail.ecn->whenUncontrollable, WhenUncontrollable::report);
}

TEST(Derivation, happens_after_merging_an_override) {
    const Profile profile = read(
        "dcb: { lossless: { priority: 3, dscp: 26 } }\necn: {}\noverrides:\n"
        "  - match: { interface: b }\n    dcb: { lossless: { priority: 5, dscp: 40 } "
        "}\n");
    const auto rail = profile.settingsFor(RailIdentity{.interface = "b"});
    EXPECT_EQ(rail->dcb->pfc->value, std::set<Priority>{Priority::of(5)});
    EXPECT_EQ(rail->ecn->reactionPoint->value, std::set<Priority>{Priority::of(5)});
    EXPECT_EQ(rail->dcb->priorityToBuffer->value.at(Priority::of(3)).number(), 0);
}

TEST(Defaults, an_absent_section_is_not_owned) {
    const Profile profile = read("");
    const auto rail = profile.settingsFor(RailIdentity{});
    EXPECT_FALSE(rail->dcb || rail->ecn || rail->pause || rail->mtu ||
                 rail->rdmaCmTos || rail->arp || rail->neighbours);
    EXPECT_FALSE(profile.host().modules || profile.host().acs ||
                 profile.host().service);
    EXPECT_TRUE(profile.rails().match.empty());
    EXPECT_FALSE(profile.rails().wait);
    EXPECT_FALSE(profile.rails().includeDefaultRoute);
}

TEST(Defaults, a_wait_of_zero_that_is_written_is_not_one_that_is_left_out) {
    EXPECT_EQ(read("rails: { wait: 0s }\n").rails().wait, std::chrono::seconds(0));
    EXPECT_FALSE(read("rails: { expect: 8 }\n").rails().wait);
}

TEST(Defaults, of_a_present_section_equal_those_of_its_settings) {
    const RailSettings rail = railOf("arp: {}\nneighbours: {}\npause: {}\n");
    EXPECT_EQ(rail.arp->ignore, ArpSettings{}.ignore);
    EXPECT_EQ(rail.arp->announce, ArpSettings{}.announce);
    EXPECT_EQ(rail.arp->rpFilter, ArpSettings{}.rpFilter);
    EXPECT_EQ(rail.arp->scopeAll, ArpSettings{}.scopeAll);
    EXPECT_EQ(rail.arp->persist, ArpSettings{}.persist);
    EXPECT_EQ(rail.neighbours->flush, NeighbourSettings{}.flush);
    EXPECT_EQ(rail.neighbours->staticEntries, NeighbourSettings{}.staticEntries);
    EXPECT_EQ(rail.neighbours->announce, NeighbourSettings{}.announce);
    EXPECT_EQ(rail.pause->rx, false);
    EXPECT_EQ(rail.pause->tx, false);
    const HostSettings host = read("acs: {}\nservice: {}\n").host();
    EXPECT_EQ(host.acs->clear, AcsSettings{}.clear);
    EXPECT_EQ(host.acs->scope, AcsSettings{}.scope);
    EXPECT_TRUE(host.acs->endpoints.empty());
    EXPECT_EQ(host.acs->clearWithoutGpu, AcsSettings{}.clearWithoutGpu);
    EXPECT_EQ(host.acs->onTranslatingIommu, AcsSettings{}.onTranslatingIommu);
    EXPECT_EQ(host.acs->onPassthrough, AcsSettings{}.onPassthrough);
    EXPECT_EQ(host.acs->onGuest, AcsSettings{}.onGuest);
    EXPECT_EQ(host.service->unit, ServiceSettings{}.unit);
    EXPECT_EQ(host.service->binary, ServiceSettings{}.binary);
    EXPECT_EQ(host.service->requireFeature, ServiceSettings{}.requireFeature);
    ASSERT_TRUE(host.service->limitMemlock);
    EXPECT_FALSE(host.service->limitMemlock->bytes);
    EXPECT_EQ(host.service->manageEnvironment, ServiceSettings{}.manageEnvironment);
    EXPECT_EQ(host.service->restartIfNeeded, ServiceSettings{}.restartIfNeeded);
}

TEST(Settings, every_word_has_its_meaning) {
    const HostSettings host =
        read(
            "acs: { clear: platform, scope: paths, without-gpu: clear,\n"
            "       on-translating-iommu: warn, on-passthrough: proceed,\n"
            "       on-guest: refuse,\n"
            "       endpoints: [{ vendor: 8086, device: \"56*\", class: \"03*\" }] }\n"
            "service: { limit-memlock: 64GiB, restart: if-needed,\n"
            "           manage-environment: true, environment: { A: off } }\n")
            .host();
    EXPECT_EQ(host.acs->clear, AcsClear::platform);
    EXPECT_EQ(host.acs->scope, AcsScope::paths);
    EXPECT_TRUE(host.acs->clearWithoutGpu);
    EXPECT_EQ(host.acs->onTranslatingIommu, Consent::warn);
    EXPECT_EQ(host.acs->onPassthrough, Consent::proceed);
    EXPECT_EQ(host.acs->onGuest, Consent::refuse);
    EXPECT_EQ(host.acs->endpoints.at(0).vendor, "8086");
    EXPECT_EQ(host.acs->endpoints.at(0).device, "56*");
    EXPECT_EQ(host.acs->endpoints.at(0).classCode, "03*");
    EXPECT_EQ(host.service->limitMemlock->bytes->count, std::uint64_t{64} << 30U);
    EXPECT_TRUE(host.service->restartIfNeeded);
    EXPECT_TRUE(host.service->manageEnvironment);
    EXPECT_EQ(host.service->environment.at("A"), "off");
}

TEST(Settings, every_rail_word_has_its_meaning) {
    const RailSettings rail = railOf(
        "dcb: { dcbx: keep, trust: pcp, other-dscp: exclusive }\n"
        "ecn: { when-uncontrollable: fail, cnp-dscp: 48 }\n"
        "pause: { rx: true, tx: null }\nrdma-cm-tos: 0\n"
        "arp: { ignore: 2, announce: null, rp-filter: 2, scope: all,\n"
        "       persist: false }\n"
        "neighbours: { flush: never, static: delete, announce: false,\n"
        "              peers-from: /var/lib/facts }\n");
    EXPECT_EQ(rail.dcb->dcbx.value, DcbxOwner::keep);
    EXPECT_EQ(rail.dcb->trust.value, Trust::pcp);
    EXPECT_EQ(rail.dcb->otherDscp.value, OtherDscp::exclusive);
    EXPECT_EQ(rail.ecn->whenUncontrollable, WhenUncontrollable::fail);
    EXPECT_EQ(rail.ecn->cnpDscp, Dscp::of(48));
    EXPECT_EQ(rail.pause->rx, true);
    EXPECT_FALSE(rail.pause->tx);
    EXPECT_EQ(rail.rdmaCmTos, 0);
    EXPECT_EQ(rail.arp->ignore, 2);
    EXPECT_FALSE(rail.arp->announce);
    EXPECT_EQ(rail.arp->rpFilter, 2);
    EXPECT_TRUE(rail.arp->scopeAll);
    EXPECT_FALSE(rail.arp->persist);
    EXPECT_EQ(rail.neighbours->flush, FlushMode::never);
    EXPECT_EQ(rail.neighbours->staticEntries, StaticEntries::remove);
    EXPECT_FALSE(rail.neighbours->announce);
    EXPECT_EQ(rail.neighbours->peersFrom, "/var/lib/facts");
}

TEST(Settings, unowned_words_keep_what_is_there) {
    const DcbSettings dcb =
        *railOf("dcb: { dcbx: null, trust: null, other-dscp: null }\n").dcb;
    EXPECT_EQ(dcb.dcbx.value, DcbxOwner::keep);
    EXPECT_EQ(dcb.trust.value, Trust::keep);
    EXPECT_EQ(dcb.otherDscp.value, OtherDscp::keep);
}

TEST(ProfileArp, H02_an_arp_ignore_that_answers_for_others_is_refused_with_the_reason) {
    for (const std::string value : {"0", "3", "4", "7", "8", "9"}) {
        const auto lines =
            errorLines("version: 1\nname: x\narp: { ignore: " + value + " }\n");
        ASSERT_EQ(lines.size(), 1U) << value;
        EXPECT_TRUE(lines[0].starts_with("3:16 arp.ignore: `" + value + "`"))
            << lines[0];
        EXPECT_NE(lines[0].find("still answer for other interfaces' addresses"),
                  std::string::npos);
    }
}

TEST(ProfileArp, H03_an_arp_announce_other_than_two_is_refused_with_the_reason) {
    for (const std::string value : {"0", "1", "3", "100"}) {
        const auto lines =
            errorLines("version: 1\nname: x\narp: { announce: " + value + " }\n");
        ASSERT_EQ(lines.size(), 1U) << value;
        EXPECT_NE(lines[0].find("above 2 the kernel acts as with 0"),
                  std::string::npos);
        EXPECT_TRUE(lines[0].ends_with("(did you mean 2?)")) << lines[0];
    }
}

TEST(Rules, allow_what_only_looks_like_a_contradiction) {
    for (const std::string text :
         {"dcb: { lossless: {}, pfc: [3, 4] }\n",
          "dcb: { lossless: {}, pfc: null }\npause: { rx: on }\n",
          "dcb: { lossless: {}, trust: keep }\n",
          "dcb: { trust: pcp, dscp-to-priority: {} }\n",
          "dcb: { lossless: { priority: 3 }, priority-to-buffer: { 3: 2 } }\n",
          "dcb: { lossless: {} }\necn: { reaction-point: [] }\n",
          "dcb: { ets: { tsa: { 6: strict }, bandwidth: { 3: 100, 6: 0 } } }\n",
          "rails: { expect: { min: 2, max: 2 } }\n"}) {
        EXPECT_EQ(errorLines("version: 1\nname: x\n" + text),
                  std::vector<std::string>{})
            << text;
    }
}

}  // namespace

}  // namespace fabric::profile
