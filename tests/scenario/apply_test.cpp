// SPDX-License-Identifier: Apache-2.0
// Whole runs on a machine in memory: profile, inventory, every resource, writes, second
// look.
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

Report applyTo(StorageNode& node,
               const profile::Profile& profile,
               engine::ApplyOptions options = {}) {
    return engine::apply(node.reader(), node.writer(), profile, options);
}

std::string notAsWanted(const Report& report) {
    std::string text = report.stopped ? report.stopped->message() + "\n" : "";
    for (const auto& resource : report.resources) {
        if (engine::exitCodeOf(resource.outcome) != ExitCode::asWanted) {
            text += resource.assessment.id + " " +
                    std::string(engine::toString(resource.outcome)) + ": wanted " +
                    resource.assessment.wanted.toText() + " found " +
                    resource.assessment.found.toText() + " (" +
                    resource.assessment.reason + ")\n";
        }
    }
    return text;
}

const engine::ResourceReport& find(const Report& report, const std::string& id) {
    const auto found = std::ranges::find_if(
        report.resources, [&](const engine::ResourceReport& resource) {
            return resource.assessment.id == id;
        });
    if (found == report.resources.end()) {
        ADD_FAILURE() << "no resource " << id;
        static const engine::ResourceReport none;
        return none;
    }
    return *found;
}

bool tells(const Report& report, std::string_view id) {
    return std::ranges::any_of(report.findings,
                               [&](const auto& finding) { return finding.id == id; });
}

TEST(Scenario, what_must_come_before_the_first_write_can_stop_the_run) {
    StorageNode node(2);
    engine::ApplyOptions options;
    std::size_t planned = 0;
    options.beforeWriting = [&](const std::vector<resource::Step>& steps,
                                const engine::Preparation&) -> Result<void> {
        planned = steps.size();
        return std::unexpected(Error{.kind = ErrorKind::io, .action = "save"});
    };
    const Report report = applyTo(node, losslessProfile(), options);
    EXPECT_GT(planned, 0U);
    EXPECT_EQ(report.exitCode(), ExitCode::couldNotRun);
    EXPECT_FALSE(report.changed);
    EXPECT_EQ(node.writeCount(), 0U);
}

TEST(Scenario, each_write_is_told_with_its_answer) {
    StorageNode node(1);
    engine::ApplyOptions options;
    std::size_t accepted = 0;
    options.execution.onWrite = [&](const resource::Step&,
                                    const resource::Write&,
                                    const Result<engine::Acceptance>& answer) {
        accepted += answer ? 1 : 0;
    };
    const Report report = applyTo(node, losslessProfile(), options);
    std::size_t planned = 0;
    for (const resource::Step& step : report.steps) {
        planned += step.writes.size();
    }
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted) << notAsWanted(report);
    EXPECT_EQ(accepted, planned);
}

TEST(Scenario, a_fresh_node_converges_and_a_second_apply_writes_nothing) {
    StorageNode node(8);
    const auto profile = losslessProfile();
    const Report first = applyTo(node, profile);
    EXPECT_EQ(first.exitCode(), ExitCode::asWanted) << notAsWanted(first);
    EXPECT_TRUE(first.changed);
    EXPECT_EQ(first.result(), "converged");
    for (unsigned rail = 0; rail < 8; ++rail) {
        EXPECT_EQ(node.dcb(rail).pfc.pfc_en, 0x08);
        EXPECT_EQ(node.dcb(rail).hardwareMap[26], 3);
        EXPECT_TRUE(node.dcb(rail).hardwareTrustsDscp);
        EXPECT_EQ(node.host.files.content(node.ecn(rail, "roce_rp", 3)), "1\n");
        EXPECT_EQ(node.host.pci.find(StorageNode::rootPortOf(rail))->word(0x14E),
                  0x0011);
    }
    const std::size_t writes = node.writeCount();
    const Report second = applyTo(node, profile);
    EXPECT_EQ(second.exitCode(), ExitCode::asWanted) << notAsWanted(second);
    EXPECT_FALSE(second.changed);
    EXPECT_EQ(node.writeCount(), writes);
    EXPECT_EQ(engine::check(node.reader(), profile, {}).exitCode(), ExitCode::asWanted);
}

TEST(Scenario, plan_writes_nothing_and_names_every_step) {
    StorageNode node(2);
    const Report plan = engine::plan(node.reader(), losslessProfile(), {});
    EXPECT_EQ(plan.exitCode(), ExitCode::differences);
    EXPECT_FALSE(plan.steps.empty());
    EXPECT_EQ(node.writeCount(), 0U);
    for (const auto& resource : plan.resources) {
        if (resource.outcome == Outcome::drifted) {
            const bool served =
                std::ranges::any_of(plan.steps, [&](const resource::Step& step) {
                    return std::ranges::find(step.ids, resource.assessment.id) !=
                           step.ids.end();
                });
            EXPECT_TRUE(served) << resource.assessment.id;
        }
    }
}

TEST(Scenario, D15_one_rail_drifts_and_check_names_exactly_that) {
    StorageNode node(8);
    const auto profile = losslessProfile();
    ASSERT_EQ(applyTo(node, profile).exitCode(), ExitCode::asWanted);
    node.dcb(5).pfc.pfc_en = 0;
    node.host.files.addFile("/proc/77/comm", "lldpad\n");
    const Report drift = engine::check(node.reader(), profile, {});
    EXPECT_EQ(drift.exitCode(), ExitCode::differences);
    for (const auto& resource : drift.resources) {
        EXPECT_EQ(resource.outcome == Outcome::drifted,
                  resource.assessment.id == "dcb/rail5/pfc")
            << resource.assessment.id;
    }
    EXPECT_NE(find(drift, "dcb/rail5/pfc").assessment.reason.find("lldpad"),
              std::string::npos);
}

TEST(Scenario, D14_a_setter_that_lies_fails_one_rail_and_hides_no_other) {
    StorageNode node(3);
    node.dcb(1).faults.ignored = {fake::DcbSetter::pfc};
    const Report report = applyTo(node, losslessProfile());
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    EXPECT_EQ(report.result(), "partial");
    EXPECT_EQ(find(report, "dcb/rail1/pfc").outcome, Outcome::failed);
    EXPECT_EQ(find(report, "dcb/rail0/pfc").outcome, Outcome::changed);
    EXPECT_EQ(find(report, "dcb/rail2/pfc").outcome, Outcome::changed);
    EXPECT_EQ(find(report, "dcb/rail1/trust").outcome, Outcome::changed);
}

TEST(Scenario, D13_pfc_moved_although_the_message_failed) {
    StorageNode node(1);
    node.dcb(0).faults.pfcMovesThenNoMemory = true;
    const Report report = applyTo(node, losslessProfile());
    const auto& pfc = find(report, "dcb/rail0/pfc");
    EXPECT_EQ(pfc.outcome, Outcome::failed);
    EXPECT_NE(pfc.assessment.reason.find("moved"), std::string::npos)
        << pfc.assessment.reason;
}

TEST(Scenario, D05_a_refused_buffer_says_what_the_errno_does_not) {
    StorageNode node(2);
    node.dcb(0).faults.code[fake::DcbSetter::buffer] = 244;
    const Report report = applyTo(node, losslessProfile());
    const auto& buffer = find(report, "dcb/rail0/priority-to-buffer");
    EXPECT_EQ(buffer.outcome, Outcome::failed);
    EXPECT_NE(buffer.assessment.reason.find("ENOTSUPP"), std::string::npos)
        << buffer.assessment.reason;
    EXPECT_NE(buffer.assessment.fix.find("buffer"), std::string::npos)
        << buffer.assessment.fix;
}

TEST(Scenario, A01_lockdown_refuses_and_names_the_kernel_parameter) {
    StorageNode node(2);
    node.host.files.addFile("/sys/kernel/security/lockdown",
                            "none [integrity] confidentiality\n");
    for (unsigned rail = 0; rail < 2; ++rail) {
        node.host.pci.find(StorageNode::rootPortOf(rail))->refuseWrite = EPERM;
    }
    const Report report = applyTo(node, losslessProfile());
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    const auto& acs = find(report, "acs/0000:00:02.0/control");
    EXPECT_EQ(acs.outcome, Outcome::failed);
    EXPECT_NE(acs.assessment.fix.find("disable_acs_redir="), std::string::npos)
        << acs.assessment.fix;
    EXPECT_EQ(find(report, "dcb/rail0/pfc").outcome, Outcome::changed);
}

TEST(Scenario, A03_a_port_that_may_not_be_written_does_not_keep_the_others) {
    StorageNode node(2);
    node.host.pci.find(StorageNode::rootPortOf(0))->refuseWrite = EROFS;
    const Report report = applyTo(node, losslessProfile());
    EXPECT_EQ(find(report, "acs/0000:00:02.0/control").outcome, Outcome::failed);
    EXPECT_EQ(find(report, "acs/0000:00:03.0/control").outcome, Outcome::changed);
}

TEST(Scenario, H14_a_rail_that_carries_the_default_route_stays_untouched) {
    StorageNode node(2);
    node.host.links.defaultRoutes = {StorageNode::linkOf(0)};
    const auto profile = profileOf(R"(version: 1
name: named
rails: { match: [{ interface: "rail*" }] }
dcb:
  lossless: { priority: 3, dscp: 26, buffer: 1 }
)");
    const Report report = applyTo(node, profile);
    EXPECT_EQ(node.dcb(0).setterCalls(), 0U);
    EXPECT_GT(node.dcb(1).setterCalls(), 0U);
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    EXPECT_EQ(find(report, "dcb/rail0/pfc").outcome, Outcome::failed);
    EXPECT_NE(find(report, "dcb/rail0/pfc")
                  .assessment.reason.find("carries the default route"),
              std::string::npos);
    EXPECT_NE(find(report, "dcb/rail0/pfc").assessment.fix.find("rails.exclude"),
              std::string::npos);
    EXPECT_EQ(find(report, "dcb/rail1/pfc").outcome, Outcome::changed);
}

TEST(Scenario, too_many_rails_and_none_is_written_while_the_host_goes_on) {
    StorageNode node(3);
    const auto profile = profileOf(R"(version: 1
name: two
rails: { expect: 2 }
dcb:
  lossless: { priority: 3, dscp: 26, buffer: 1 }
acs: { clear: redirect }
)");
    const Report report = applyTo(node, profile);
    EXPECT_EQ(node.fakeDcb.setterCalls(), 0U);
    EXPECT_EQ(find(report, "rails/expect").outcome, Outcome::failed);
    EXPECT_EQ(find(report, "dcb/rail0/pfc").outcome, Outcome::failed);
    EXPECT_EQ(find(report, "acs/0000:00:02.0/control").outcome, Outcome::changed);
}

TEST(Scenario, too_few_rails_and_those_present_are_configured) {
    StorageNode node(2);
    const auto profile = profileOf(R"(version: 1
name: three
rails: { expect: 3 }
dcb:
  lossless: { priority: 3, dscp: 26, buffer: 1 }
)");
    const Report report = applyTo(node, profile);
    EXPECT_EQ(find(report, "rails/expect").outcome, Outcome::failed);
    EXPECT_EQ(find(report, "dcb/rail1/pfc").outcome, Outcome::changed);
    EXPECT_EQ(engine::check(node.reader(), profile, {}).exitCode(),
              ExitCode::differences);
}

TEST(Scenario, no_rails_is_said_with_what_would_help) {
    StorageNode node(0);
    const Report report = engine::check(node.reader(), losslessProfile(), {});
    EXPECT_EQ(find(report, "rails/expect").outcome, Outcome::drifted);
    EXPECT_EQ(report.exitCode(), ExitCode::differences);
    EXPECT_TRUE(std::ranges::any_of(report.findings, [](const auto& finding) {
        return finding.id == "rails.none";
    }));
}

TEST(Scenario, a_kind_that_the_profile_does_not_have_is_said) {
    StorageNode node(1);
    engine::RunOptions only;
    only.only = {resource::Kind::rdmaCm};
    const Report report = engine::check(node.reader(), losslessProfile(), only);
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
    EXPECT_TRUE(tells(report, "only.not-in-profile"));
}

TEST(Scenario, an_override_that_meets_no_rail_here_is_said) {
    StorageNode node(1);
    const auto profile = profileOf(R"(version: 1
name: overridden
mtu: 9000
overrides:
  - match: { interface: zz9 }
    mtu: 4200
)");
    EXPECT_TRUE(
        tells(engine::check(node.reader(), profile, {}), "overrides.unmatched"));
}

TEST(Scenario, too_many_rails_are_too_many_under_rail_also) {
    StorageNode node(3);
    const auto profile = profileOf(R"(version: 1
name: two
rails: { expect: 2 }
dcb:
  lossless: { priority: 3, dscp: 26, buffer: 1 }
)");
    engine::ApplyOptions options;
    options.run.rail = "rail0";
    EXPECT_EQ(applyTo(node, profile, options).exitCode(), ExitCode::someFailed);
    EXPECT_EQ(node.fakeDcb.setterCalls(), 0U);
    const Report check = engine::check(node.reader(), profile, options.run);
    EXPECT_NE(
        find(check, "dcb/rail0/priority-to-buffer").assessment.fix.find("rails/expect"),
        std::string::npos);
}

TEST(Scenario, only_and_rail_leave_the_rest_alone) {
    StorageNode node(2);
    engine::ApplyOptions options;
    options.run.only = {resource::Kind::dcb};
    options.run.rail = "rail1";
    const Report report = applyTo(node, losslessProfile(), options);
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted) << notAsWanted(report);
    EXPECT_EQ(node.dcb(0).setterCalls(), 0U);
    EXPECT_TRUE(node.host.pci.writes.empty());
    EXPECT_TRUE(std::ranges::all_of(report.resources, [](const auto& resource) {
        return resource.assessment.kind == resource::Kind::dcb &&
               resource.assessment.device == "rail1";
    }));
}

TEST(Scenario, a_mistyped_rail_is_answered_with_the_nearest) {
    StorageNode node(2);
    engine::ApplyOptions options;
    options.run.rail = "rial1";
    const Report report = applyTo(node, losslessProfile(), options);
    EXPECT_EQ(report.exitCode(), ExitCode::couldNotRun);
    EXPECT_NE(report.stopped->message().find("rail1"), std::string::npos);
    EXPECT_EQ(node.writeCount(), 0U);
}

TEST(Scenario, an_index_that_is_no_rail_is_fine_for_apply_alone_and_said) {
    StorageNode node(2);
    engine::ApplyOptions options;
    options.run.rail = "ifindex:4711";
    const Report applied = applyTo(node, losslessProfile(), options);
    EXPECT_EQ(applied.exitCode(), ExitCode::asWanted);
    EXPECT_TRUE(tells(applied, "rails.not-a-rail"));
    EXPECT_EQ(node.writeCount(), 0U);
    EXPECT_EQ(engine::check(node.reader(), losslessProfile(), options.run).exitCode(),
              ExitCode::couldNotRun);
}

TEST(Scenario, without_rights_check_reads_what_it_can_and_apply_names_the_capability) {
    StorageNode node(1);
    node.host.files.addFile(
        "/proc/self/status",
        "Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\n");
    for (unsigned at = 0; at < 2; ++at) {
        node.host.pci
            .find(
                at == 0
                    ? StorageNode::rootPortOf(0)
                    : PciAddress{.domain = 0, .bus = 0, .device = 0x1E, .function = 0})
            ->visible = 64;
    }
    const Report check = engine::check(node.reader(), losslessProfile(), {});
    EXPECT_EQ(check.exitCode(), ExitCode::unverifiable) << notAsWanted(check);
    EXPECT_EQ(find(check, "acs/0000:00:02.0/control").outcome, Outcome::unreadable);
    EXPECT_EQ(find(check, "dcb/rail0/pfc").outcome, Outcome::drifted);
    const auto missing = engine::missingCapability(
        inventory::observePlatform(node.reader()), losslessProfile(), {});
    ASSERT_TRUE(missing);
    EXPECT_NE(missing->message().find("CAP_NET_ADMIN"), std::string::npos);
}

TEST(Scenario, D20_root_of_a_user_namespace_is_told_so) {
    StorageNode node(1);
    node.host.files.addFile("/proc/self/uid_map", "         0       1000          1\n");
    const auto missing = engine::missingCapability(
        inventory::observePlatform(node.reader()), losslessProfile(), {});
    ASSERT_TRUE(missing);
    EXPECT_NE(missing->message().find("initial user namespace"), std::string::npos);
}

TEST(Scenario, a_signal_halfway_is_reported_and_a_later_run_converges) {
    StorageNode node(4);
    engine::ApplyOptions options;
    options.execution.stopRequested = [&]() -> std::optional<std::string> {
        return node.writeCount() >= 10 ? std::optional<std::string>("SIGTERM")
                                       : std::nullopt;
    };
    const Report stopped = applyTo(node, losslessProfile(), options);
    EXPECT_EQ(stopped.exitCode(), ExitCode::someFailed);
    EXPECT_TRUE(std::ranges::any_of(stopped.resources, [](const auto& resource) {
        return resource.assessment.reason == "not attempted: SIGTERM";
    }));
    EXPECT_EQ(applyTo(node, losslessProfile()).exitCode(), ExitCode::asWanted);
}

TEST(Scenario, an_mlx5_link_that_bounces_is_waited_for) {
    StorageNode node(2);
    node.fakeDcb.onLinkBounce = [&](IfIndex link) {
        node.host.links.bounce(link, std::chrono::milliseconds(700));
    };
    const auto start = node.host.clock.now();
    const Report report = applyTo(node, losslessProfile());
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted) << notAsWanted(report);
    EXPECT_GE(node.host.clock.now() - start, std::chrono::milliseconds(1400));
    EXPECT_LT(node.host.clock.now() - start, std::chrono::milliseconds(2000));
}

TEST(Scenario, a_link_that_does_not_come_back_spares_the_other_rails) {
    StorageNode node(3);
    node.fakeDcb.onLinkBounce = [&](IfIndex link) {
        node.host.links.bounce(link, std::nullopt);
    };
    const Report report = applyTo(node, losslessProfile());
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    EXPECT_EQ(node.dcb(0).linkBounces, 1U);
    EXPECT_EQ(node.dcb(1).linkBounces, 0U);
    EXPECT_EQ(find(report, "dcb/rail1/pfc").assessment.reason,
              "rail0 did not come back");
    EXPECT_EQ(find(report, "dcb/rail1/trust").outcome, Outcome::changed);
}

}  // namespace
}  // namespace fabric::scenario
