// SPDX-License-Identifier: Apache-2.0
// Runs that hold themselves back: a limit on disturbance, one rail at a time. What
// reached a rail is counted by the fakes.
#include "engine/apply.hpp"
#include "engine/run.hpp"
#include "scenario/storage_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabric::scenario {
namespace {

using engine::ExitCode;
using engine::Outcome;
using engine::Report;
using resource::Disturbs;

constexpr const char* kSysctlFile = "/etc/sysctl.d/99-zz-fabricctl.conf";
constexpr std::uint16_t kAcsAsWanted = 0x0011;

profile::Profile wholeProfile() {
    return profileOf(R"(version: 1
name: whole
dcb:
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
ecn:
  when-uncontrollable: report
mtu: 9000
pause: { rx: off, tx: off }
arp: { persist: true }
acs:
  clear: redirect
)");
}

class Restraint : public ::testing::Test {
  protected:
    Report apply(engine::RunOptions run) {
        engine::ApplyOptions options{.run = std::move(run)};
        options.beforeWriting = [this](const auto& steps, const auto&) -> Result<void> {
            ++announced_;
            planned_ = steps.size();
            return {};
        };
        return engine::apply(node.reader(), node.writer(), wholeProfile(), options);
    }

    Report oneAtATime() { return apply({.oneAtATime = true}); }

    void mustBeDone(unsigned rail) {
        EXPECT_EQ(node.wrongOn(rail), "") << rail;
        EXPECT_GT(node.writesTo(rail), 0U) << rail;
    }

    // Reasons of what is not as wanted on one rail, each once.
    static std::set<std::string> reasonsOn(const Report& report, unsigned rail) {
        std::set<std::string> reasons;
        for (const auto& resource : report.resources) {
            if (resource.assessment.rail == StorageNode::nameOf(rail) &&
                engine::exitCodeOf(resource.outcome) != ExitCode::asWanted) {
                EXPECT_EQ(resource.outcome, Outcome::failed) << resource.assessment.id;
                reasons.insert(resource.assessment.reason);
            }
        }
        return reasons;
    }

    StorageNode node{8};
    unsigned announced_ = 0;
    std::size_t planned_ = 0;
};

TEST_F(Restraint, a_rail_that_would_be_disturbed_gets_no_write_at_all) {
    // Rails 2 and 5 have PFC already: what is left there bounces nothing.
    node.dcb(2).pfc.pfc_en = 0x08;
    node.dcb(5).pfc.pfc_en = 0x08;
    for (const unsigned rail : {2U, 5U}) {
        node.host.links.find(StorageNode::linkOf(rail))->mtu = 9000;
        node.host.ethtool.pauses[StorageNode::linkOf(rail)] = {};
    }
    const Report report = apply({.maxDisruption = Disturbs::traffic});
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    EXPECT_EQ(report.result(), "partial");
    for (unsigned rail = 0; rail < 8; ++rail) {
        if (rail == 2 || rail == 5) {
            mustBeDone(rail);
            EXPECT_EQ(node.dcb(rail).linkBounces, 0U);
            continue;
        }
        EXPECT_EQ(node.writesTo(rail), 0U) << rail;
        for (const std::string& reason : reasonsOn(report, rail)) {
            EXPECT_TRUE(
                reason.starts_with("not attempted: --max-disruption traffic: '"))
                << reason;
            EXPECT_TRUE(reason.ends_with("' would disturb the link")) << reason;
        }
        EXPECT_FALSE(reasonsOn(report, rail).empty());
    }
    EXPECT_EQ(node.host.pci.find(StorageNode::rootPortOf(0))->word(0x14E),
              kAcsAsWanted);
    for (const resource::Step& step : report.steps) {
        EXPECT_LE(step.disturbs, Disturbs::traffic) << step.summary;
    }
}

TEST_F(Restraint, the_next_boot_leaves_alone_what_this_run_left_alone) {
    // Rail 3 has lines of an earlier run, rail 2 is the only one that may be done.
    constexpr const char* kLines = "\nnet/ipv4/conf/rail3/arp_ignore = 7\n";
    node.host.files.addFile(kSysctlFile, kLines);
    node.dcb(2).pfc.pfc_en = 0x08;
    node.host.links.find(StorageNode::linkOf(2))->mtu = 9000;
    node.host.ethtool.pauses[StorageNode::linkOf(2)] = {};
    const Report report = apply({.maxDisruption = Disturbs::traffic});
    const std::string text = node.host.files.find(kSysctlFile)->content;
    for (unsigned rail = 0; rail < 8; ++rail) {
        const std::string key =
            "net/ipv4/conf/" + StorageNode::nameOf(rail) + "/arp_announce = 2";
        EXPECT_EQ(text.contains(key), rail == 2) << rail << text;
    }
    EXPECT_TRUE(text.contains(kLines)) << "as it was left: " << text;
    for (const auto& resource : report.resources) {
        if (resource.assessment.property == "persist") {
            EXPECT_EQ(resource.outcome,
                      resource.assessment.rail == StorageNode::nameOf(2)
                          ? Outcome::changed
                          : Outcome::failed)
                << resource.assessment.id << resource.assessment.reason;
        }
    }
    apply({});
    EXPECT_TRUE(node.host.files.find(kSysctlFile)
                    ->content.contains("net/ipv4/conf/rail3/arp_ignore = 1"))
        << "and the next whole run completes it";
}

TEST_F(Restraint, a_file_that_no_rail_may_be_written_for_stays_as_it_is) {
    apply({.maxDisruption = Disturbs::none});
    EXPECT_FALSE(node.host.files.exists(kSysctlFile));
}

TEST_F(Restraint, a_missing_rail_keeps_its_lines_for_the_next_boot) {
    apply({});
    const std::string whole = node.host.files.find(kSysctlFile)->content;
    ASSERT_TRUE(whole.contains("/rail7/"));
    node.host.links.remove(StorageNode::linkOf(7));
    engine::ApplyOptions options{.run = {.oneAtATime = true}};
    const auto withExpect = [](const std::string& expect) {
        return profileOf("version: 1\nname: whole\n" + expect +
                         "arp: { persist: true }\n");
    };
    const auto converge = [&](const std::string& expect) {
        static_cast<void>(
            engine::apply(node.reader(), node.writer(), withExpect(expect), options));
    };
    converge("rails: { expect: 8 }\n");
    EXPECT_EQ(node.host.files.find(kSysctlFile)->content, whole);
    converge("");
    EXPECT_FALSE(node.host.files.find(kSysctlFile)->content.contains("/rail7/"))
        << "of a rail that nobody expects they go";
}

TEST_F(Restraint, plan_says_what_apply_would_leave_alone) {
    const Report plan =
        engine::plan(node.reader(), wholeProfile(), {.maxDisruption = Disturbs::none});
    EXPECT_EQ(plan.exitCode(), ExitCode::someFailed);
    EXPECT_EQ(node.writeCount(), 0U);
    const Report report = apply({.maxDisruption = Disturbs::none});
    ASSERT_EQ(plan.resources.size(), report.resources.size());
    for (std::size_t at = 0; at < plan.resources.size(); ++at) {
        const auto& planned = plan.resources[at];
        const auto& done = report.resources[at];
        EXPECT_EQ(planned.assessment.id, done.assessment.id);
        EXPECT_EQ(planned.outcome == Outcome::failed, done.outcome == Outcome::failed)
            << planned.assessment.id;
    }
    EXPECT_EQ(plan.steps.size(), report.steps.size());
}

TEST_F(Restraint, nothing_left_to_write_is_no_success) {
    const Report report =
        apply({.only = {resource::Kind::dcb}, .maxDisruption = Disturbs::none});
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    EXPECT_EQ(report.result(), "failed");
    EXPECT_EQ(announced_, 0U);
    EXPECT_EQ(node.writeCount(), 0U);
}

TEST_F(Restraint, one_at_a_time_ends_where_all_at_once_does) {
    const Report report = oneAtATime();
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
    EXPECT_EQ(announced_, 1U);
    EXPECT_EQ(planned_, report.steps.size());
    for (unsigned rail = 0; rail < 8; ++rail) {
        mustBeDone(rail);
        EXPECT_EQ(node.wrongArpOn(rail), "");
    }
    const std::size_t writes = node.writeCount();
    EXPECT_FALSE(oneAtATime().changed);
    EXPECT_EQ(node.writeCount(), writes);
}

TEST_F(Restraint, a_third_rail_that_lies_keeps_five_rails_and_the_file_as_they_were) {
    node.dcb(2).faults.ignored = {fake::DcbSetter::pfc};
    const Report report = oneAtATime();
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    EXPECT_EQ(announced_, 1U);
    mustBeDone(0);
    mustBeDone(1);
    EXPECT_GT(node.writesTo(2), 0U);
    for (unsigned rail = 3; rail < 8; ++rail) {
        EXPECT_EQ(node.writesTo(rail), 0U) << rail;
        EXPECT_EQ(
            reasonsOn(report, rail),
            std::set<std::string>{"not attempted: rail2 failed, --one-at-a-time"});
    }
    EXPECT_FALSE(node.host.files.exists(kSysctlFile));
}

TEST_F(Restraint, a_link_that_stays_down_is_a_failure_of_its_rail) {
    node.fakeDcb.onLinkBounce = [this](IfIndex link) {
        if (link == StorageNode::linkOf(2)) {
            node.host.links.bounce(link, std::nullopt);
        }
    };
    const Report report = oneAtATime();
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    mustBeDone(1);
    for (unsigned rail = 3; rail < 8; ++rail) {
        EXPECT_EQ(node.writesTo(rail), 0U) << rail;
    }
}

TEST_F(Restraint, a_host_wide_failure_comes_before_the_first_rail) {
    node.host.pci.find(StorageNode::rootPortOf(4))->refuseWrite = EPERM;
    const Report report = oneAtATime();
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    for (unsigned rail = 0; rail < 8; ++rail) {
        EXPECT_EQ(node.writesTo(rail), 0U) << rail;
        EXPECT_EQ(reasonsOn(report, rail),
                  std::set<std::string>{"not attempted: ACS failed, --one-at-a-time"});
    }
}

TEST_F(Restraint, what_was_known_before_does_not_stop_the_rails_but_the_end) {
    node.dcb(2).faults.unreadable = {fake::DcbSetter::pfc};
    const Report report = oneAtATime();
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    for (const unsigned rail : {0U, 1U, 3U, 7U}) {
        mustBeDone(rail);
    }
    EXPECT_FALSE(node.host.files.exists(kSysctlFile));
    EXPECT_TRUE(reasonsOn(report, 7).contains(
        "not attempted: rail2 is not as wanted, --one-at-a-time"));
}

TEST_F(Restraint, a_signal_is_the_reason_where_it_was_the_reason) {
    engine::ApplyOptions options{.run = {.oneAtATime = true}};
    std::size_t writes = 0;
    options.execution.onWrite = [&](const auto&, const auto&, const auto&) {
        ++writes;
    };
    options.execution.stopRequested = [&]() -> std::optional<std::string> {
        return writes >= 30 ? std::optional<std::string>("SIGTERM") : std::nullopt;
    };
    const Report report =
        engine::apply(node.reader(), node.writer(), wholeProfile(), options);
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    EXPECT_EQ(node.writesTo(7), 0U);
    EXPECT_EQ(reasonsOn(report, 7), std::set<std::string>{"not attempted: SIGTERM"});
}

TEST_F(Restraint, rails_that_conf_all_serves_go_together) {
    engine::ApplyOptions options{.run = {.oneAtATime = true}};
    node.host.ipv4.ignored = {StorageNode::linkOf(3)};
    const auto profile =
        profileOf("version: 1\nname: t\narp: { scope: all }\nmtu: 9000\n");
    const Report report = engine::apply(node.reader(), node.writer(), profile, options);
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
    for (unsigned rail = 0; rail < 8; ++rail) {
        EXPECT_EQ(node.host.links.find(StorageNode::linkOf(rail))->mtu, 9000U);
    }
}

}  // namespace
}  // namespace fabric::scenario
