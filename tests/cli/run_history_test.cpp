// SPDX-License-Identifier: Apache-2.0
// Whole runs on a machine in memory, and what their history says.
#include "cli/run_history.hpp"

#include "base/digest.hpp"
#include "engine/apply.hpp"
#include "profile/load.hpp"
#include "report/history.hpp"
#include "scenario/storage_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>

namespace fabric::cli {
namespace {

using scenario::StorageNode;
using ::testing::HasSubstr;

// Keeps lines, and refuses those whose number is named.
class Lines : public host::HistoryLog {
  public:
    [[nodiscard]] Result<void> append(std::string_view line) override {
        if (refused.contains(count++)) {
            return fail(systemError("add to the history", "history.jsonl", ENOSPC));
        }
        text += std::string(line) + "\n";
        return {};
    }

    [[nodiscard]] Result<void> sync() override {
        ++synced;
        return {};
    }

    [[nodiscard]] report::History read() const { return report::parseHistory(text); }

    std::string text;
    std::set<int> refused;
    int count = 0;
    int synced = 0;
};

class RunHistoryTest : public ::testing::Test {
  protected:
    engine::Report apply(engine::ApplyOptions options = {}) {
        const profile::Profile profile = scenario::losslessProfile();
        RunHistory history(lines_, node_.host.clock, [&] {
            ++asked_;
            return runOfThisProcess(node_.reader(), "run", "apply", &profile);
        });
        history.follow(options.execution);
        engine::Report report =
            engine::apply(node_.reader(), node_.writer(), profile, options);
        history.end(report);
        return report;
    }

    StorageNode node_{2};
    Lines lines_;
    int asked_ = 0;
};

TEST_F(RunHistoryTest, every_write_has_its_line_between_begin_and_end) {
    const engine::Report report = apply();
    const report::History history = lines_.read();
    ASSERT_GE(history.entries.size(), 3U);
    EXPECT_FALSE(history.entries.front().write || history.entries.front().end);
    std::size_t planned = 0;
    for (const resource::Step& step : report.steps) {
        planned += step.writes.size();
    }
    EXPECT_EQ(history.entries.size(), planned + 2);
    ASSERT_TRUE(history.entries.back().end.has_value());
    EXPECT_EQ(history.entries.back().end->exitCode,
              static_cast<int>(report.exitCode()));
    EXPECT_EQ(history.entries.back().end->result, report.result());
    EXPECT_EQ(lines_.synced, 1);
    EXPECT_EQ(history.foreignLines, 0U);
}

TEST_F(RunHistoryTest, old_and_new_value_are_those_of_the_report) {
    const engine::Report report = apply();
    std::size_t compared = 0;
    for (const engine::HistoryEntry& entry : lines_.read().entries) {
        const auto changes =
            entry.write ? entry.write->changes : std::vector<engine::HistoryChange>{};
        for (const engine::HistoryChange& change : changes) {
            const auto told =
                std::ranges::find(report.resources,
                                  change.id,
                                  [](const engine::ResourceReport& resource) {
                                      return resource.assessment.id;
                                  });
            ASSERT_NE(told, report.resources.end()) << change.id;
            if (change.old.asObject() == nullptr) {
                EXPECT_EQ(change.old, told->assessment.found);
                EXPECT_EQ(change.wanted, told->assessment.wanted);
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 4U);
}

TEST_F(RunHistoryTest, a_step_tells_its_changes_once_however_many_writes_it_has) {
    const engine::Report report = apply();
    std::vector<std::size_t> writes(report.steps.size());
    for (const engine::HistoryEntry& entry : lines_.read().entries) {
        if (entry.write) {
            const std::size_t step = entry.write->step - 1;
            ASSERT_LT(step, writes.size());
            EXPECT_EQ(entry.write->changes.empty(), writes[step] > 0);
            ++writes[step];
        }
    }
    for (std::size_t step = 0; step < writes.size(); ++step) {
        EXPECT_EQ(writes[step], report.steps[step].writes.size());
    }
}

TEST(ChangesOf, of_a_table_only_the_entries_that_differ_are_told) {
    const auto changes =
        engine::changesOf({{.id = "dcb/rail0/dscp-map",
                            .wanted = Value::Object{{"0", 0}, {"26", 3}, {"30", 3}},
                            .found = Value::Object{{"0", 0}, {"26", 1}, {"40", 5}}}});
    const engine::HistoryChange& change = changes.at("dcb/rail0/dscp-map");
    EXPECT_EQ(change.old, Value(Value::Object{{"26", 1}, {"40", 5}}));
    EXPECT_EQ(change.wanted, Value(Value::Object{{"26", 3}, {"30", 3}}));
}

TEST_F(RunHistoryTest, the_profile_is_named_by_its_hash_and_a_person_by_his_login) {
    node_.host.files.addFile("/proc/self/loginuid", "1000");
    const std::string path =
        std::filesystem::absolute(scenario::losslessProfile().path()).string();
    node_.host.files.addFile(path, "the bytes");
    static_cast<void>(apply());
    const engine::HistoryRun run = lines_.read().entries.front().run;
    ASSERT_FALSE(run.profile.empty());
    EXPECT_EQ(run.profile.front().sha256, sha256("the bytes"));
    EXPECT_EQ(run.loginUser, 1000U);
}

TEST(HashesOf, name_every_file_that_a_profile_was_made_of) {
    fake::FakeHost host;
    host.files.addFile("/p/site.yaml", "version: 1\nextends: base.yaml\nmtu: 1400\n");
    host.files.addFile("/p/base.yaml", "version: 1\nname: base\n");
    const auto profile = profile::load(host.files, "/p/site.yaml");
    ASSERT_TRUE(profile);
    const auto hashes = engine::hashesOf(host.files, *profile);
    ASSERT_EQ(hashes.size(), 2U);
    EXPECT_EQ(hashes[0].path, "/p/site.yaml");
    EXPECT_EQ(hashes[1],
              (engine::HashedFile{.path = "/p/base.yaml",
                                  .sha256 = sha256("version: 1\nname: base\n")}));
}

TEST_F(RunHistoryTest, a_service_has_no_login) {
    node_.host.files.addFile("/proc/self/loginuid", "4294967295");
    static_cast<void>(apply());
    EXPECT_FALSE(lines_.read().entries.front().run.loginUser.has_value());
}

TEST_F(RunHistoryTest, a_run_that_writes_nothing_adds_and_asks_nothing) {
    static_cast<void>(apply());
    lines_ = {};
    asked_ = 0;
    const engine::Report again = apply();
    EXPECT_EQ(again.exitCode(), engine::ExitCode::asWanted);
    EXPECT_EQ(lines_.text, "");
    EXPECT_EQ(lines_.synced, 0);
    EXPECT_EQ(asked_, 0);
}

TEST_F(RunHistoryTest, a_run_stopped_before_its_first_write_adds_nothing) {
    engine::ApplyOptions options;
    options.beforeWriting = [](const auto&, const auto&) -> Result<void> {
        return fail(systemError("save", "the snapshot", ENOSPC));
    };
    const engine::Report report = apply(options);
    EXPECT_EQ(report.exitCode(), engine::ExitCode::couldNotRun);
    EXPECT_EQ(lines_.text, "");
}

TEST_F(RunHistoryTest, a_refused_write_is_told_with_its_errno) {
    node_.host.files.failWriteAt(1, EPERM);
    static_cast<void>(apply());
    const report::History history = lines_.read();
    const auto refused =
        std::ranges::find_if(history.entries, [](const engine::HistoryEntry& entry) {
            return entry.write && !entry.write->accepted;
        });
    ASSERT_NE(refused, history.entries.end());
    EXPECT_EQ(refused->write->sysErrno, EPERM);
    EXPECT_THAT(refused->write->message, HasSubstr("Operation not permitted"));
}

TEST_F(RunHistoryTest, a_register_is_told_with_what_it_held_before_and_after) {
    static_cast<void>(apply());
    const report::History history = lines_.read();
    const auto acs =
        std::ranges::find_if(history.entries, [](const engine::HistoryEntry& entry) {
            return entry.write && entry.write->wrote.member("before") != nullptr;
        });
    ASSERT_NE(acs, history.entries.end());
    EXPECT_EQ(*acs->write->wrote.member("kind")->asText(), "pci-capability");
    EXPECT_NE(*acs->write->wrote.member("before"), *acs->write->wrote.member("after"));
}

TEST_F(RunHistoryTest, a_full_disk_stops_nothing_and_is_told) {
    lines_.refused = {0, 2, 3};
    const engine::Report report = apply();
    EXPECT_EQ(report.exitCode(), engine::ExitCode::asWanted);
    const auto told = std::ranges::find(
        report.findings, "history.not-written", &resource::Finding::id);
    ASSERT_NE(told, report.findings.end());
    EXPECT_THAT(told->summary, HasSubstr("3 lines"));
    EXPECT_THAT(told->evidence, HasSubstr("No space left"));
    EXPECT_EQ(lines_.read().entries.back().end->lostLines, 3U);
}

TEST(RunId, sorts_by_time_and_is_never_given_twice) {
    fake::FakeClock clock;
    const std::string first = runId("", clock);
    EXPECT_EQ(first.size(), std::string("20260131T120000Z-1a2b3c4d").size());
    EXPECT_NE(first, runId("", clock));
    const std::string early = runId("", clock);
    EXPECT_EQ(runId("20260131T120000Z-000001", clock), "20260131T120000Z-000001");
    clock.advance(std::chrono::seconds(1));
    EXPECT_LT(early, runId("", clock));
}

TEST(DescribeWrite, a_file_is_told_by_its_hash_since_it_may_hold_secrets) {
    const Value told = engine::describeWrite(
        resource::FileReplace{.path = "/etc/x.env", .text = "SECRET=1", .mode = 0600});
    EXPECT_EQ(*told.member("sha256")->asText(), sha256("SECRET=1"));
    EXPECT_EQ(told.toText().find("SECRET"), std::string::npos);
    const Value dropIn = engine::describeWrite(
        resource::DropInWrite{.unit = "minio.service",
                              .file = {.path = "/etc/y.conf", .text = "SECRET=2"},
                              .previous = "SECRET=3"});
    EXPECT_EQ(*dropIn.member("old_sha256")->asText(), sha256("SECRET=3"));
    EXPECT_EQ(dropIn.toText().find("SECRET"), std::string::npos);
}

}  // namespace
}  // namespace fabric::cli
