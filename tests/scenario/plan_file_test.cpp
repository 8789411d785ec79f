// SPDX-License-Identifier: Apache-2.0
// A plan that was agreed to, on a host that moves on before it is carried out: in every
// kind of resource, nothing is written.
#include "report/plan_file.hpp"

#include "engine/apply.hpp"
#include "engine/plan_record.hpp"
#include "engine/run.hpp"
#include "scenario/storage_node.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace fabric::scenario {
namespace {

using engine::ExitCode;
using engine::PlanRecord;
using engine::Report;

constexpr const char* kBootList = "/etc/modules-load.d/fabricctl.conf";

profile::Profile plannedProfile() {
    return profileOf(R"(version: 1
name: planned
modules: [ib_core]
dcb:
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
ecn:
  when-uncontrollable: report
mtu: 9000
pause: { rx: off, tx: off }
arp: { persist: true }
neighbours: { static: delete }
acs:
  clear: redirect
)");
}

class PlannedHost {
  public:
    PlannedHost() {
        node.host.files.addDirectory("/etc/modules-load.d");
        node.host.modules.add("ib_core");
        node.host.modules.showLoaded("ib_core");
        node.host.files.addFile(
            std::string("/lib/modules/6.1.0-57-amd64/modules.builtin"));
        node.host.neighbours.add(
            StorageNode::linkOf(1), "10.0.1.7", "02:00:00:00:09:09");
    }

    // As it stands in the file.
    PlanRecord plan() {
        const auto profile = plannedProfile();
        const Report report = engine::plan(node.reader(), profile, {});
        return report::asWritten(engine::recordPlan(
            report, {{.path = "/p.yaml", .sha256 = std::string(64, '0')}}, {}));
    }

    Report carryOut(const PlanRecord& plan) {
        engine::ApplyOptions options;
        options.approve = [&](const resource::Comparison& decided) -> Result<void> {
            auto other = engine::otherState(plan,
                                            report::asWritten(engine::recordPlan(
                                                decided.assessments, decided.steps)));
            return other ? Result<void>(fail(*other)) : Result<void>();
        };
        return engine::apply(node.reader(), node.writer(), plannedProfile(), options);
    }

    [[nodiscard]] std::size_t writeCount() const {
        return node.writeCount() + node.host.modules.loads.size() +
               node.host.neighbours.removed.size() + node.host.announcer.frames.size();
    }

    StorageNode node{3};
};

TEST(PlanFile, a_host_that_stayed_as_it_was_gets_all_of_it) {
    PlannedHost host;
    StorageNode& node = host.node;
    const PlanRecord agreed = host.plan();
    EXPECT_EQ(node.writeCount(), 0U);
    // The cache goes on learning.
    node.host.neighbours.add(StorageNode::linkOf(0), "10.0.0.9", "02:00:00:00:07:07");
    const Report report = host.carryOut(agreed);
    ASSERT_FALSE(report.stopped) << report.stopped->message();
    EXPECT_EQ(report.steps.size(), agreed.steps.size());
    for (unsigned rail = 0; rail < 3; ++rail) {
        EXPECT_EQ(node.wrongOn(rail), "");
    }
    // Once.
    const std::size_t writes = node.writeCount();
    EXPECT_EQ(host.carryOut(agreed).exitCode(), ExitCode::couldNotRun);
    EXPECT_EQ(node.writeCount(), writes);
    EXPECT_FALSE(host.carryOut(host.plan()).stopped);
}

TEST(PlanFile, a_host_that_moved_on_gets_nothing_whatever_it_was) {
    struct Move {
        const char* id;  // that must be named
        std::function<void(StorageNode&)> make;
    };

    const auto dcbOf = [](StorageNode& node) -> fake::FakeDcbPort& {
        return node.dcb(1);
    };
    const std::vector<Move> moves{
        {"module/ib_core",
         [](StorageNode& node) { node.host.files.addFile(kBootList, "ib_core\n"); }},
        {"acs/0000:00:03.0/control",
         [](StorageNode& node) {
             node.host.pci.find(StorageNode::rootPortOf(1))->setWord(0x14E, 0x0011);
         }},
        {"mtu/rail1",
         [](StorageNode& node) {
             node.host.links.find(StorageNode::linkOf(1))->mtu = 4000;
         }},
        {"pause/rail1",
         [](StorageNode& node) {
             node.host.ethtool.pauses[StorageNode::linkOf(1)] = {.rx = true};
         }},
        {"dcb/rail1/pfc", [&](StorageNode& node) { dcbOf(node).pfc.pfc_en = 0x02; }},
        {"dcb/rail1/trust",
         // An entry of the list is what tells it; the priority is the default one.
         [&](StorageNode& node) {
             dcbOf(node).list.push_back(
                 {.selector = IEEE_8021QAZ_APP_SEL_DSCP, .priority = 1, .protocol = 8});
         }},
        {"dcb/rail1/dscp-map",
         [&](StorageNode& node) {
             dcbOf(node).list.push_back({.selector = IEEE_8021QAZ_APP_SEL_DSCP,
                                         .priority = 5,
                                         .protocol = 40});
         }},
        {"ecn/rail1/",
         [](StorageNode& node) {
             node.host.files.find(node.ecn(1, "roce_rp", 3))->content = "1\n";
         }},
        {"arp/rail1/arp-ignore",
         [](StorageNode& node) {
             node.host.ipv4.of(StorageNode::linkOf(1))[host::Ipv4Key::arpIgnore] = 1;
         }},
        {"arp/rail1/persist",
         [](StorageNode& node) {
             node.host.files.addFile("/etc/sysctl.d/zz.conf",
                                     "net.ipv4.conf.rail1.arp_ignore = 1\n"
                                     "net.ipv4.conf.rail1.arp_announce = 2\n");
         }},
        {"neighbour/rail1/10.0.1.8",
         [](StorageNode& node) {
             node.host.neighbours
                 .add(StorageNode::linkOf(1), "10.0.1.8", "02:00:00:00:09:08")
                 .state = host::NeighbourState::permanent;
         }},
        {"rail2", [](StorageNode& node) {
             node.host.links.defaultRoutes = {StorageNode::linkOf(2)};
         }}};
    for (const Move& move : moves) {
        PlannedHost host;
        const PlanRecord agreed = host.plan();
        move.make(host.node);
        const Report report = host.carryOut(agreed);
        ASSERT_TRUE(report.stopped) << move.id;
        EXPECT_EQ(report.exitCode(), ExitCode::couldNotRun) << move.id;
        EXPECT_TRUE(report.stopped->detail.contains(move.id))
            << move.id << " is not in: " << report.stopped->detail;
        EXPECT_TRUE(report.steps.empty()) << move.id;
        EXPECT_EQ(host.writeCount(), 0U) << move.id;
    }
}

}  // namespace
}  // namespace fabric::scenario
