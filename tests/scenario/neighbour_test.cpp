// SPDX-License-Identifier: Apache-2.0
// Whole runs around the neighbour cache: flush, correction, announcement, what is told.
#include "engine/apply.hpp"
#include "engine/run.hpp"
#include "storage_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabric::scenario {
namespace {

using engine::ExitCode;
using engine::Outcome;
using engine::Report;
using host::NeighbourState;

constexpr std::string_view kRight = "02:00:00:00:02:01";
constexpr std::string_view kWrong = "02:00:00:00:02:02";
constexpr const char* kMarker = "/run/fabricctl/flush-pending/10";

// rail0 is 10.0.0.1 and rail1 is 10.0.1.1, each in a /24 of its own.
class NeighbourScenario : public ::testing::Test {
  protected:
    NeighbourScenario() {
        for (const unsigned rail : {0U, 1U}) {
            node.host.links.find(StorageNode::linkOf(rail))->mac =
                MacAddress{{2, 0, 0, 0, 1, static_cast<std::uint8_t>(rail)}};
        }
    }

    static profile::Profile wanting(const std::string& neighbours) {
        return profileOf("version: 1\nname: t\nneighbours:\n  static: report\n" +
                         neighbours);
    }

    static profile::Profile withPeers(const std::string& more = {}) {
        return wanting(more +
                       "  peers:\n"
                       "    - { host: node2, rail: ens1, address: 10.0.0.2, mac: "
                       "\"02:00:00:00:02:01\" }\n"
                       "    - { host: node2, rail: ens2, address: 10.0.1.2, mac: "
                       "\"02:00:00:00:02:02\" }\n");
    }

    Report apply(const profile::Profile& profile) {
        return engine::apply(node.reader(), node.writer(), profile, {});
    }

    static const engine::ResourceReport& find(const Report& report,
                                              const std::string& id) {
        static const engine::ResourceReport kNone;
        const auto found = std::ranges::find_if(
            report.resources,
            [&](const auto& resource) { return resource.assessment.id == id; });
        EXPECT_NE(found, report.resources.end()) << id;
        return found == report.resources.end() ? kNone : *found;
    }

    static bool tells(const Report& report, std::string_view id) {
        return std::ranges::find(report.findings, id, &resource::Finding::id) !=
               report.findings.end();
    }

    std::size_t sent() const {
        return node.host.neighbours.removed.size() +
               node.host.neighbours.resolved.size() + node.host.announcer.frames.size();
    }

    StorageNode node{2};
    IfIndex rail0 = StorageNode::linkOf(0);
};

TEST_F(NeighbourScenario, H15_a_killed_run_is_completed_and_the_next_does_nothing) {
    node.host.files.addFile(kMarker);
    node.host.neighbours.add(rail0, "10.0.0.2", kWrong);
    node.host.neighbours.answer(rail0, "10.0.0.2", kRight);
    const Report first = apply(wanting(""));
    EXPECT_EQ(find(first, "neighbour/rail0").outcome, Outcome::changed);
    EXPECT_EQ(first.exitCode(), ExitCode::asWanted);
    EXPECT_TRUE(first.changed);
    EXPECT_FALSE(node.host.files.exists(kMarker));
    EXPECT_EQ(node.host.neighbours.find(rail0, "10.0.0.2")->mac,
              MacAddress::parse(kRight));
    EXPECT_EQ(node.host.announcer.frames.size(), 1U);

    const std::size_t before = sent();
    const Report second = apply(wanting(""));
    EXPECT_FALSE(second.changed);
    EXPECT_EQ(second.exitCode(), ExitCode::asWanted);
    EXPECT_EQ(sent(), before) << "a second run deletes, asks and announces nothing";
}

TEST_F(NeighbourScenario, H15_a_flush_that_is_not_proven_stays_pending) {
    node.host.files.addFile(kMarker);
    node.host.neighbours.add(rail0, "10.0.0.2", kWrong);
    node.host.neighbours.keepsEntries = true;
    const Report report = apply(wanting(""));
    EXPECT_EQ(find(report, "neighbour/rail0").outcome, Outcome::failed);
    EXPECT_TRUE(node.host.files.exists(kMarker));
}

TEST_F(NeighbourScenario, H09_a_peer_that_still_answers_wrong_makes_the_run_fail) {
    node.host.neighbours.add(rail0, "10.0.0.2", kWrong);
    node.host.neighbours.answer(rail0, "10.0.0.2", kWrong);
    const Report report = apply(withPeers());
    const auto& entry = find(report, "neighbour/rail0/10.0.0.2");
    EXPECT_EQ(entry.outcome, Outcome::failed);
    EXPECT_NE(entry.assessment.fix.find("apply on node2 first"), std::string::npos);
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);

    node.host.neighbours.answer(rail0, "10.0.0.2", kRight);
    const Report after = apply(withPeers());
    EXPECT_EQ(find(after, "neighbour/rail0/10.0.0.2").outcome, Outcome::changed);
    EXPECT_EQ(after.exitCode(), ExitCode::asWanted);
}

TEST_F(NeighbourScenario, what_did_not_come_back_is_told) {
    node.host.neighbours.add(rail0, "10.0.0.2", kWrong);
    const Report report = apply(withPeers());
    EXPECT_TRUE(tells(report, "neighbour.not-back"));
    // The wrong MAC is gone, which is what was wanted.
    EXPECT_EQ(find(report, "neighbour/rail0/10.0.0.2").outcome, Outcome::changed);
}

TEST_F(NeighbourScenario, what_is_missing_on_two_rails_is_told_of_both) {
    node.host.neighbours.add(rail0, "10.0.0.2", kWrong);
    node.host.neighbours.add(StorageNode::linkOf(1), "10.0.1.2", kRight);
    const Report report = apply(withPeers());
    std::vector<std::string> devices;
    for (const resource::Finding& finding : report.findings) {
        if (finding.id == "neighbour.not-back") {
            devices.push_back(finding.device);
        }
    }
    EXPECT_EQ(devices, (std::vector<std::string>{"rail0", "rail1"}));
}

TEST_F(NeighbourScenario, H07_a_static_entry_goes_when_asked_and_not_otherwise) {
    node.host.neighbours.add(rail0, "10.0.0.2", kWrong).state =
        NeighbourState::permanent;
    EXPECT_EQ(apply(wanting("")).exitCode(), ExitCode::asWanted);
    ASSERT_NE(node.host.neighbours.find(rail0, "10.0.0.2"), nullptr);
    node.host.neighbours.answer(rail0, "10.0.0.2", kRight);
    const auto deleting =
        profileOf("version: 1\nname: t\nneighbours: { static: delete }\n");
    const Report report = apply(deleting);
    EXPECT_EQ(find(report, "neighbour/rail0/10.0.0.2").outcome, Outcome::changed);
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
    EXPECT_EQ(node.host.neighbours.find(rail0, "10.0.0.2")->state,
              NeighbourState::reachable);
    EXPECT_FALSE(apply(deleting).changed);
}

TEST_F(NeighbourScenario, always_counts_as_changed_only_when_an_entry_was_deleted) {
    const auto always = wanting("  flush: always\n");
    EXPECT_FALSE(apply(always).changed) << "nothing was cached";
    node.host.neighbours.add(rail0, "10.0.0.2", kRight);
    node.host.neighbours.answer(rail0, "10.0.0.2", kRight);
    EXPECT_EQ(engine::check(node.reader(), always, {}).exitCode(), ExitCode::asWanted);
    EXPECT_EQ(engine::plan(node.reader(), always, {}).exitCode(),
              ExitCode::differences);
    const Report report = apply(always);
    EXPECT_TRUE(report.changed);
    EXPECT_EQ(find(report, "neighbour/rail0").outcome, Outcome::changed);
    EXPECT_TRUE(node.host.announcer.frames.empty());
}

TEST_F(NeighbourScenario, plan_and_check_send_nothing) {
    node.host.files.addFile(kMarker);
    node.host.neighbours.add(rail0, "10.0.0.2", kWrong);
    EXPECT_EQ(engine::check(node.reader(), withPeers(), {}).exitCode(),
              ExitCode::differences);
    EXPECT_EQ(engine::plan(node.reader(), withPeers(), {}).exitCode(),
              ExitCode::differences);
    EXPECT_EQ(sent(), 0U);
}

TEST_F(NeighbourScenario, four_thousand_entries_cost_one_look) {
    constexpr unsigned kEntries = 4000;
    for (unsigned number = 0; number < kEntries; ++number) {
        const IpAddress address =
            IpAddress::v4(10,
                          0,
                          static_cast<std::uint8_t>(number / 250),
                          static_cast<std::uint8_t>(2 + number % 250));
        node.host.neighbours.add(
            StorageNode::linkOf(number % 2), address.text(), kRight);
    }
    node.host.neighbours.dumps = 0;
    EXPECT_EQ(engine::check(node.reader(), withPeers(), {}).exitCode(),
              ExitCode::differences);
    EXPECT_EQ(node.host.neighbours.dumps, 1U);
}

}  // namespace
}  // namespace fabric::scenario
