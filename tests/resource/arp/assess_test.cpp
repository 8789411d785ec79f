// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/arp_fixture.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace fabric::resource::arp {
namespace {

using host::Ipv4Key;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Arp : public ArpFixture {
  protected:
    // The usual machine: two rails in subnets of their own.
    void addTwoRails() {
        addRail("ens1", 2, {10, 0, 1, 1});
        addRail("ens2", 3, {10, 0, 2, 1});
    }
};

TEST_F(Arp, apply_sets_what_differs_and_a_second_apply_writes_nothing) {
    addTwoRails();
    EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::differs);
    EXPECT_EQ(only(look(), "arp/ens1/arp-ignore").found, Value(0));
    apply();
    EXPECT_EQ(own(2).at(Ipv4Key::arpIgnore), 1);
    EXPECT_EQ(own(2).at(Ipv4Key::arpAnnounce), 2);
    EXPECT_EQ(own(2).at(Ipv4Key::rpFilter), 0);
    for (const char* id : {"arp/ens1/arp-ignore", "arp/ens2/arp-announce"}) {
        EXPECT_EQ(verdictOf(id), Verdict::inSync) << id;
    }
    const std::size_t files = host.files.writes().size();
    EXPECT_THAT(host.ipv4.changes, SizeIs(2));
    apply();
    EXPECT_THAT(host.ipv4.changes, SizeIs(2));
    EXPECT_EQ(host.files.writes().size(), files);
}

TEST_F(Arp, one_interface_is_one_message_and_only_with_what_differs) {
    addRail("ens1", 2, {10, 0, 1, 1});
    own(2)[Ipv4Key::arpAnnounce] = 2;
    apply();
    ASSERT_THAT(host.ipv4.changes, SizeIs(1));
    EXPECT_EQ(host.ipv4.changes[0].values, (host::Ipv4Values{{Ipv4Key::arpIgnore, 1}}));
}

TEST_F(Arp, however_many_rails_there_is_one_dump) {
    for (std::uint32_t index = 2; index < 10; ++index) {
        addRail("ens" + std::to_string(index),
                index,
                {10, 0, static_cast<std::uint8_t>(index), 1});
    }
    host.ipv4.dumps = 0;
    EXPECT_THAT(look().assessments, SizeIs(16));
    EXPECT_EQ(host.ipv4.dumps, 1U);
}

TEST_F(Arp, H01_all_four_over_a_right_rail_differs_and_names_all) {
    addRail("ens1", 2, {10, 0, 1, 1});
    own(2)[Ipv4Key::arpIgnore] = 1;
    own(2)[Ipv4Key::arpAnnounce] = 2;
    host.ipv4.allValues[Ipv4Key::arpIgnore] = 4;
    const Comparison seen = look();
    const Assessment& ignore = only(seen, "arp/ens1/arp-ignore");
    EXPECT_EQ(ignore.verdict, Verdict::differs);
    EXPECT_EQ(ignore.found, Value(4));
    EXPECT_THAT(ignore.reason,
                HasSubstr("conf.all decides (own value 1, conf.all 4, effective 4)"));
    EXPECT_THAT(ignore.fix, HasSubstr("net.ipv4.conf.all.arp_ignore"));
    EXPECT_THAT(seen.steps, IsEmpty());
}

TEST_F(Arp, H01_under_scope_rails_the_own_value_is_written_and_all_is_left_alone) {
    addRail("ens1", 2, {10, 0, 1, 1});
    host.ipv4.allValues[Ipv4Key::arpIgnore] = 4;
    apply();
    EXPECT_EQ(own(2).at(Ipv4Key::arpIgnore), 1);
    EXPECT_EQ(host.ipv4.allValues.at(Ipv4Key::arpIgnore), 4);
    EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::differs);
    EXPECT_EQ(verdictOf("arp/ens1/arp-announce"), Verdict::inSync);
}

TEST_F(Arp, H02_reserved_values_on_the_host_are_drift) {
    addRail("ens1", 2, {10, 0, 1, 1});
    own(2)[Ipv4Key::arpAnnounce] = 2;
    for (const std::int32_t value : {3, 4, 7, 8, 9, -1}) {
        own(2)[Ipv4Key::arpIgnore] = value;
        EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::differs) << value;
        EXPECT_THAT(look().steps, SizeIs(1)) << value;
    }
}

TEST_F(Arp, H03_an_announce_above_two_is_drift) {
    addRail("ens1", 2, {10, 0, 1, 1});
    own(2)[Ipv4Key::arpAnnounce] = 3;
    const Assessment announce = only(look(), "arp/ens1/arp-announce");
    EXPECT_EQ(announce.verdict, Verdict::differs);
    EXPECT_THAT(announce.reason, HasSubstr("the interface's own value decides"));
}

TEST_F(Arp, a_stricter_ignore_is_as_wanted_with_a_finding) {
    addRail("ens1", 2, {10, 0, 1, 1});
    own(2) = {{Ipv4Key::arpIgnore, 1},
              {Ipv4Key::arpAnnounce, 2},
              {Ipv4Key::rpFilter, 0},
              {Ipv4Key::arpFilter, 0}};
    EXPECT_EQ(findingIn(look(), "arp.stricter"), nullptr);
    host.ipv4.allValues[Ipv4Key::arpIgnore] = 2;
    const Comparison seen = look();
    EXPECT_EQ(only(seen, "arp/ens1/arp-ignore").verdict, Verdict::inSync);
    ASSERT_NE(findingIn(seen, "arp.stricter"), nullptr);
    EXPECT_EQ(findingIn(seen, "arp.stricter")->severity, Severity::warn);
    EXPECT_THAT(seen.steps, IsEmpty());
}

TEST_F(Arp, rp_filter_is_only_looked_at_when_the_profile_names_it) {
    RailTask& rail = addRail("ens1", 2, {10, 0, 1, 1});
    own(2)[Ipv4Key::rpFilter] = 1;
    EXPECT_THAT(look().assessments, SizeIs(2));
    rail.settings.arp->rpFilter = 2;
    EXPECT_EQ(verdictOf("arp/ens1/rp-filter"), Verdict::differs);
    apply();
    EXPECT_EQ(own(2).at(Ipv4Key::rpFilter), 2);
}

TEST_F(Arp, H06_a_recreated_link_is_drift_again) {
    addRail("ens1", 2, {10, 0, 1, 1});
    apply();
    EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::inSync);
    host.ipv4.add(IfIndex{2});
    EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::differs);
}

TEST_F(Arp, H14_a_refused_rail_is_failed_and_not_touched) {
    addTwoRails();
    rails[0].refusal = "carries the default route";
    rails[0].settings.arp->persist = true;
    const Comparison seen = look();
    for (const char* id :
         {"arp/ens1/arp-ignore", "arp/ens1/arp-announce", "arp/ens1/persist"}) {
        EXPECT_EQ(only(seen, id).verdict, Verdict::failed) << id;
        EXPECT_EQ(only(seen, id).reason, "carries the default route");
    }
    apply();
    EXPECT_EQ(own(2).at(Ipv4Key::arpIgnore), 0);
    EXPECT_EQ(own(3).at(Ipv4Key::arpIgnore), 1);
    EXPECT_FALSE(host.files.exists("/etc/sysctl.d/99-zz-fabricctl.conf"));
}

TEST_F(Arp, H15_the_flush_is_marked_as_pending_before_the_first_write) {
    addRail("ens1", 2, {10, 0, 1, 1});
    rails[0].settings.neighbours.emplace();
    const Comparison seen = look();
    ASSERT_THAT(seen.steps, SizeIs(1));
    const std::vector<Write>& writes = seen.steps[0].writes;
    const auto marker = std::ranges::find(
        writes,
        Write(FileReplace{.path = "/run/fabricctl/flush-pending/2", .text = "ens1\n"}));
    const auto conf = std::ranges::find_if(writes, [](const Write& write) {
        return std::holds_alternative<Ipv4ConfWrite>(write);
    });
    ASSERT_NE(marker, writes.end());
    ASSERT_NE(conf, writes.end());
    EXPECT_LT(marker, conf);
    apply();
    EXPECT_TRUE(host.files.exists("/run/fabricctl/flush-pending/2"));
}

TEST_F(Arp, a_flush_that_no_run_of_the_profile_does_is_not_marked_as_pending) {
    addTwoRails();
    rails[1].settings.neighbours.emplace();
    rails[1].settings.neighbours->flush = profile::FlushMode::never;
    rails[1].settings.neighbours->announce = false;
    apply();
    EXPECT_EQ(own(2).at(Ipv4Key::arpIgnore), 1);
    EXPECT_EQ(own(3).at(Ipv4Key::arpIgnore), 1);
    EXPECT_FALSE(host.files.exists("/run/fabricctl/flush-pending/2"));
    EXPECT_FALSE(host.files.exists("/run/fabricctl/flush-pending/3"));
}

TEST_F(Arp, H15_without_the_mark_nothing_is_written) {
    addRail("ens1", 2, {10, 0, 1, 1});
    rails[0].settings.neighbours.emplace();
    host.files.failWrite("/run/fabricctl/flush-pending/2", EROFS);
    const auto results = apply();
    EXPECT_EQ(results.at(0).error->sysErrno, EROFS);
    EXPECT_THAT(host.ipv4.changes, IsEmpty());
}

TEST_F(Arp, every_interface_with_an_ipv4_address_is_reported_under_its_own_name) {
    RailTask& rail = addRail("ens1", 2, {10, 0, 1, 1});
    addLink("ens1.100", 5, "vlan");
    addLink("ens1.200", 6, "vlan");
    rail.rail.interfaces.push_back({IfIndex{5}, "ens1.100", "vlan"});
    rail.rail.interfaces.push_back({IfIndex{6}, "ens1.200", "vlan"});
    host.links.addressList.clear();
    addAddress(5, {10, 0, 1, 1});
    host.links.addressList.push_back({.link = IfIndex{6}, .ipv6 = true});
    const Comparison seen = look();
    EXPECT_THAT(seen.assessments, SizeIs(2));
    EXPECT_EQ(only(seen, "arp/ens1.100/arp-ignore").rail, "ens1");
    apply();
    EXPECT_EQ(own(5).at(Ipv4Key::arpIgnore), 1);
    EXPECT_EQ(own(2).at(Ipv4Key::arpIgnore), 0);
    EXPECT_EQ(own(6).at(Ipv4Key::arpIgnore), 0);
}

TEST_F(Arp, a_rail_without_ipv4_address_is_not_applicable) {
    addRail("ens1", 2, {10, 0, 1, 1}).settings.arp->persist = true;
    host.links.addressList.clear();
    const Comparison seen = look();
    EXPECT_THAT(seen.assessments, SizeIs(3));
    EXPECT_EQ(only(seen, "arp/ens1/persist").verdict, Verdict::notApplicable);
    EXPECT_THAT(seen.steps, IsEmpty());
}

TEST_F(Arp, what_cannot_be_read_is_unreadable) {
    addRail("ens1", 2, {10, 0, 1, 1});
    host.ipv4.allErrors[Ipv4Key::arpIgnore] = EACCES;
    EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::unreadable);
    host.ipv4.allErrors.clear();
    host.ipv4.interfacesError = Error{.kind = ErrorKind::timeout, .action = "dump"};
    EXPECT_EQ(verdictOf("arp/ens1/arp-announce"), Verdict::unreadable);
    host.ipv4.interfacesError.reset();
    host.ipv4.remove(IfIndex{2});
    EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::unreadable);
    host.ipv4.add(IfIndex{2}).erase(Ipv4Key::arpIgnore);
    EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::unsupported);
    EXPECT_EQ(verdictOf("arp/ens1/arp-announce"), Verdict::differs);
}

TEST_F(Arp, a_write_that_is_taken_and_changes_nothing_still_differs) {
    addRail("ens1", 2, {10, 0, 1, 1});
    host.ipv4.ignored.insert(IfIndex{2});
    EXPECT_TRUE(apply().at(0).accepted);
    EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::differs);
}

TEST_F(Arp, without_the_section_nothing_is_read) {
    addRail("ens1", 2, {10, 0, 1, 1}).settings.arp.reset();
    EXPECT_THAT(look().assessments, IsEmpty());
    EXPECT_EQ(host.ipv4.dumps, 0U);
}

TEST_F(Arp, scope_all_writes_conf_all_once_and_lists_what_may_break) {
    addTwoRails();
    for (RailTask& rail : rails) {
        rail.settings.arp->scopeAll = true;
        rail.settings.neighbours.emplace();
    }
    addLink("lo", 1, "");
    addAddress(1, {127, 0, 0, 1}, 8);
    addAddress(1, {192, 0, 2, 7}, 32);
    addLink("kube-ipvs0", 8, "dummy");
    addAddress(8, {192, 0, 2, 8}, 32);
    host.files.addFile("/proc/812/comm", "keepalived\n");
    const Comparison seen = look();
    const Finding* const finding = findingIn(seen, "arp.scope-all");
    ASSERT_NE(finding, nullptr);
    EXPECT_THAT(finding->evidence, HasSubstr("192.0.2.7 on lo"));
    EXPECT_THAT(finding->evidence, HasSubstr("192.0.2.8 on kube-ipvs0"));
    EXPECT_THAT(finding->evidence, HasSubstr("keepalived (process 812)"));
    EXPECT_THAT(finding->evidence, ::testing::Not(HasSubstr("127.0.0.1")));
    apply();
    ASSERT_THAT(host.ipv4.changes, SizeIs(1));
    EXPECT_TRUE(host.ipv4.changes[0].link.none());
    EXPECT_EQ(host.ipv4.allValues.at(Ipv4Key::arpIgnore), 1);
    EXPECT_EQ(own(2).at(Ipv4Key::arpIgnore), 0);
    EXPECT_EQ(verdictOf("arp/ens2/arp-announce"), Verdict::inSync);
    EXPECT_TRUE(host.files.exists("/run/fabricctl/flush-pending/3"));
}

TEST_F(Arp, H14_scope_all_says_that_it_reaches_a_refused_rail_too) {
    addTwoRails();
    for (RailTask& rail : rails) {
        rail.settings.arp->scopeAll = true;
    }
    rails[1].refusal = "carries the default route";
    const Comparison seen = look();
    const Finding* const finding = findingIn(seen, "arp.scope-all");
    ASSERT_NE(finding, nullptr);
    EXPECT_THAT(finding->evidence, HasSubstr("on ens2"));
    EXPECT_THAT(finding->evidence, ::testing::Not(HasSubstr("on ens1")));
}

TEST_F(Arp, scope_all_also_corrects_a_rail_whose_own_value_still_decides) {
    addRail("ens1", 2, {10, 0, 1, 1}).settings.arp->scopeAll = true;
    own(2)[Ipv4Key::arpIgnore] = 4;
    apply();
    EXPECT_EQ(own(2).at(Ipv4Key::arpIgnore), 1);
    EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::inSync);
}

TEST_F(Arp, rails_that_dispute_conf_all_fail_without_a_write) {
    addTwoRails();
    for (RailTask& rail : rails) {
        rail.settings.arp->scopeAll = true;
    }
    rails[1].settings.arp->ignore = 2;
    const Comparison seen = look();
    EXPECT_EQ(only(seen, "arp/ens1/arp-ignore").verdict, Verdict::failed);
    EXPECT_EQ(only(seen, "arp/ens2/arp-announce").verdict, Verdict::differs);
    apply();
    EXPECT_EQ(host.ipv4.allValues.at(Ipv4Key::arpIgnore), 0);
    EXPECT_EQ(host.ipv4.allValues.at(Ipv4Key::arpAnnounce), 2);
}

TEST_F(Arp, H01_whoever_may_have_written_conf_all_is_named) {
    addRail("ens1", 2, {10, 0, 1, 1});
    host.files.addFile("/proc/77/comm", "kube-proxy\n");
    EXPECT_THAT(only(look(), "arp/ens1/arp-ignore").reason,
                ::testing::Not(HasSubstr("kube-proxy")));
    host.ipv4.allValues[Ipv4Key::arpIgnore] = 3;
    host.files.addFile("/etc/sysconfig/network/ifsysctl-ens1");
    const std::string reason = only(look(), "arp/ens1/arp-ignore").reason;
    EXPECT_THAT(reason, HasSubstr("kube-proxy (process 77)"));
    EXPECT_THAT(reason, HasSubstr("ifsysctl-ens1"));
}

TEST_F(Arp, one_rail_that_fails_does_not_keep_the_next_from_being_written) {
    addTwoRails();
    host.ipv4.writeErrors[IfIndex{2}] = EPERM;
    const auto results = apply();
    EXPECT_EQ(results.at(0).error->sysErrno, EPERM);
    EXPECT_EQ(own(3).at(Ipv4Key::arpIgnore), 1);
}

}  // namespace
}  // namespace fabric::resource::arp
