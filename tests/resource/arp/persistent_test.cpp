// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/arp_fixture.hpp"
#include "resource/arp/persistent_file.hpp"
#include "resource/arp/sysctl_files.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace fabric::resource::arp {
namespace {

using host::Ipv4Key;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ArpPersist : public ArpFixture {
  protected:
    ArpPersist() { host.files.addDirectory("/etc"); }

    RailTask& addPersistent(const std::string& name,
                            std::uint32_t index,
                            std::uint8_t subnet) {
        RailTask& rail = addRail(name, index, {10, 0, subnet, 1});
        rail.settings.arp->persist = true;
        return rail;
    }

    [[nodiscard]] std::string ours() const {
        return host.files.content(kOurSysctlFile);
    }

    [[nodiscard]] std::size_t fileWrites() const { return host.files.writes().size(); }
};

TEST_F(ArpPersist, H04_our_file_is_written_after_99_sysctl_and_wins_the_boot) {
    addPersistent("ens1", 2, 1);
    host.files.addFile("/etc/sysctl.d/99-sysctl.conf",
                       "net.ipv4.conf.ens1.arp_ignore=0\n");
    const Assessment before = only(look(), "arp/ens1/persist");
    EXPECT_EQ(before.verdict, Verdict::differs);
    EXPECT_EQ(before.found,
              Value(Value::Object{{"arp_announce", 0}, {"arp_ignore", 0}}));
    EXPECT_EQ(before.wanted,
              Value(Value::Object{{"arp_announce", 2}, {"arp_ignore", 1}}));
    apply();
    EXPECT_THAT(ours(), HasSubstr("net/ipv4/conf/ens1/arp_ignore = 1\n"));
    EXPECT_EQ(host.files.find(kOurSysctlFile)->mode, 0644U);
    const Assessment after = only(look(), "arp/ens1/persist");
    EXPECT_EQ(after.verdict, Verdict::inSync);
    EXPECT_EQ(after.found, after.wanted);
}

TEST_F(ArpPersist, a_file_that_is_right_is_not_written_again) {
    addPersistent("ens1", 2, 1);
    apply();
    const std::size_t writes = fileWrites();
    apply();
    EXPECT_EQ(fileWrites(), writes);
}

TEST_F(ArpPersist, H04_another_file_that_wins_is_named_and_never_edited) {
    addPersistent("ens1", 2, 1);
    const std::string theirs = "# site\nnet.ipv4.conf.ens1.arp_ignore = 0\n";
    host.files.addFile("/etc/sysctl.d/99-zzz.conf", theirs);
    apply();
    const Comparison seen = look();
    const Assessment& persist = only(seen, "arp/ens1/persist");
    EXPECT_EQ(persist.verdict, Verdict::differs);
    EXPECT_THAT(persist.reason,
                HasSubstr("/etc/sysctl.d/99-zzz.conf, line 2 wins the boot merge"));
    EXPECT_EQ(persist.found,
              Value(Value::Object{{"arp_announce", 2}, {"arp_ignore", 0}}));
    EXPECT_THAT(seen.steps, IsEmpty());
    EXPECT_EQ(host.files.content("/etc/sysctl.d/99-zzz.conf"), theirs);
}

TEST_F(ArpPersist, H04_a_later_exclusion_and_a_later_conf_all_win_too) {
    addPersistent("ens1", 2, 1);
    apply();
    host.files.addFile("/etc/sysctl.d/99-zzz.conf", "-net.ipv4.conf.ens1.arp_ignore\n");
    EXPECT_THAT(only(look(), "arp/ens1/persist").reason,
                HasSubstr("takes net/ipv4/conf/ens1/arp_ignore out"));
    host.files.addFile("/etc/sysctl.d/99-zzz.conf", "");
    host.files.addFile("/usr/lib/sysctl.d/10-x.conf",
                       "net.ipv4.conf.all.arp_ignore=4\n");
    EXPECT_THAT(only(look(), "arp/ens1/persist").reason,
                HasSubstr("/usr/lib/sysctl.d/10-x.conf, line 1"));
}

TEST_F(ArpPersist, a_later_file_with_a_value_that_is_met_undoes_nothing) {
    addPersistent("ens1", 2, 1);
    apply();
    host.files.addFile("/etc/sysctl.d/99-zzz.conf",
                       "net.ipv4.conf.ens1.arp_ignore=2\n");
    EXPECT_EQ(verdictOf("arp/ens1/persist"), Verdict::inSync);
}

TEST_F(ArpPersist, a_pattern_never_beats_our_lines) {
    addPersistent("ens1", 2, 1);
    apply();
    host.files.addFile("/etc/sysctl.d/99-zzz.conf",
                       "net.ipv4.conf.ens*.arp_ignore=0\n");
    EXPECT_EQ(verdictOf("arp/ens1/persist"), Verdict::inSync);
}

TEST_F(ArpPersist, H04_etc_sysctl_conf_is_a_finding_since_only_procps_reads_it_last) {
    addPersistent("ens1", 2, 1);
    apply();
    EXPECT_EQ(findingIn(look(), "sysctl.procps"), nullptr);
    host.files.addFile("/etc/sysctl.conf", "net.ipv4.conf.ens1.arp_announce = 0\n");
    host.files.addLink("/etc/sysctl.d/99-sysctl.conf", "../sysctl.conf");
    const Comparison seen = look();
    EXPECT_EQ(only(seen, "arp/ens1/persist").verdict, Verdict::inSync);
    const Finding* const finding = findingIn(seen, "sysctl.procps");
    ASSERT_NE(finding, nullptr);
    EXPECT_THAT(finding->evidence, HasSubstr("/etc/sysctl.conf, line 1"));
}

TEST_F(ArpPersist, H05_a_dotted_interface_is_written_with_slashes) {
    addPersistent("v0.100", 2, 1);
    apply();
    EXPECT_THAT(ours(), HasSubstr("net/ipv4/conf/v0.100/arp_announce = 2\n"));
    EXPECT_EQ(verdictOf("arp/v0.100/persist"), Verdict::inSync);
}

TEST_F(ArpPersist, H05_a_dotted_spelling_in_another_file_does_not_count) {
    addPersistent("v0.100", 2, 1);
    apply();
    host.files.addFile("/etc/sysctl.d/99-zzz.conf",
                       "net.ipv4.conf.v0.100.arp_ignore=0\n");
    EXPECT_EQ(verdictOf("arp/v0.100/persist"), Verdict::inSync);
}

TEST_F(ArpPersist, an_interface_that_no_line_can_carry_is_unsupported) {
    addPersistent("a=b", 2, 1);
    EXPECT_EQ(verdictOf("arp/a=b/persist"), Verdict::unsupported);
    apply();
    EXPECT_FALSE(host.files.exists(kOurSysctlFile));
    EXPECT_EQ(own(2).at(Ipv4Key::arpIgnore), 1);
}

TEST_F(ArpPersist, lines_for_a_rail_that_is_gone_are_removed) {
    addPersistent("ens1", 2, 1);
    addPersistent("ens2", 3, 2);
    apply();
    rails.pop_back();
    const Assessment persist = only(look(), "arp/ens1/persist");
    EXPECT_EQ(persist.verdict, Verdict::differs);
    EXPECT_THAT(persist.reason, HasSubstr("still has lines for ens2"));
    apply();
    EXPECT_THAT(ours(), Not(HasSubstr("ens2")));
    EXPECT_EQ(verdictOf("arp/ens1/persist"), Verdict::inSync);
}

TEST_F(ArpPersist, a_run_for_one_rail_leaves_the_lines_of_the_others) {
    addPersistent("ens1", 2, 1);
    addPersistent("ens2", 3, 2);
    apply();
    rails.pop_back();
    rails[0].settings.arp->ignore = 2;
    Scope narrow = scope();
    narrow.hostWide = false;
    const Comparison seen = assess(host.reader(), narrow);
    ASSERT_EQ(only(seen, "arp/ens1/persist").verdict, Verdict::differs);
    for (const Step& step : seen.steps) {
        for (const Write& write : step.writes) {
            if (const auto* const file = std::get_if<FileReplace>(&write);
                file != nullptr && file->path == kOurSysctlFile) {
                EXPECT_THAT(file->text, HasSubstr("net/ipv4/conf/ens1/arp_ignore = 2"));
                EXPECT_THAT(file->text, HasSubstr("net/ipv4/conf/ens2/arp_ignore = 1"));
            }
        }
    }
}

TEST_F(ArpPersist, H14_the_lines_of_a_refused_rail_stay_as_they_are) {
    addPersistent("ens1", 2, 1);
    addPersistent("ens2", 3, 2);
    apply();
    const std::string before = ours();
    rails[1].refusal = "carries the default route";
    rails[1].settings.arp->ignore = 2;
    EXPECT_EQ(verdictOf("arp/ens1/persist"), Verdict::inSync);
    apply();
    EXPECT_EQ(ours(), before);
}

TEST_F(ArpPersist, a_hand_made_change_of_our_file_is_drift) {
    addPersistent("ens1", 2, 1);
    apply();
    const std::string right = ours();
    host.files.addFile(kOurSysctlFile, right + "net.ipv4.conf.ens1.arp_ignore = 4\n");
    EXPECT_THAT(only(look(), "arp/ens1/persist").reason, HasSubstr("does not say so"));
    apply();
    EXPECT_EQ(ours(), right);
    host.files.addFile(kOurSysctlFile, right + "# mine\n");
    EXPECT_THAT(only(look(), "arp/ens1/persist").reason,
                HasSubstr("not as fabricctl writes it"));
}

TEST_F(ArpPersist, scope_all_is_persisted_and_leaves_with_the_scope) {
    addPersistent("ens1", 2, 1).settings.arp->scopeAll = true;
    apply();
    EXPECT_THAT(ours(), HasSubstr("net/ipv4/conf/all/arp_ignore = 1\n"));
    EXPECT_EQ(verdictOf("arp/ens1/persist"), Verdict::inSync);
    host.files.addFile("/etc/sysctl.d/99-zzz.conf", "net.ipv4.conf.all.arp_ignore=0\n");
    EXPECT_THAT(only(look(), "arp/ens1/persist").reason,
                HasSubstr("net/ipv4/conf/all/arp_ignore = 0"));
    rails[0].settings.arp->scopeAll = false;
    apply();
    EXPECT_THAT(ours(), Not(HasSubstr("/all/")));
}

TEST_F(ArpPersist, a_file_that_cannot_be_read_makes_it_unreadable) {
    addPersistent("ens1", 2, 1);
    host.files.addFile("/etc/sysctl.d/10-secret.conf");
    host.files.failRead("/etc/sysctl.d/10-secret.conf", EACCES);
    EXPECT_EQ(verdictOf("arp/ens1/persist"), Verdict::unreadable);
    EXPECT_EQ(verdictOf("arp/ens1/arp-ignore"), Verdict::differs);
}

TEST_F(ArpPersist, a_link_in_our_place_is_refused_and_said) {
    addPersistent("ens1", 2, 1);
    host.files.addFile("/dev/null");
    host.files.addLink(kOurSysctlFile, "/dev/null");
    bool refused = false;
    for (const engine::StepResult& result : apply()) {
        refused = refused || (result.error && result.error->sysErrno == ELOOP);
    }
    EXPECT_TRUE(refused);
    EXPECT_EQ(verdictOf("arp/ens1/persist"), Verdict::differs);
}

}  // namespace
}  // namespace fabric::resource::arp
