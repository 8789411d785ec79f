// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "fake/fake_files.hpp"
#include "report/boot_record.hpp"
#include "report/json.hpp"
#include "report/metrics.hpp"
#include "report/state_changes.hpp"
#include "sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace fabric::report {
namespace {

using ::testing::HasSubstr;

engine::Report one(engine::Outcome outcome) {
    engine::Report report;
    report.command = "check";
    report.profileName = "say \"hi\"";
    report.bootId = "this-boot";
    report.started =
        std::chrono::system_clock::time_point(std::chrono::seconds(1'700'000'000));
    report.resources.push_back({.assessment = {.id = "dcb/rail0/pfc",
                                               .kind = resource::Kind::dcb,
                                               .device = "rail0",
                                               .property = "pfc",
                                               .wanted = Value::List{3},
                                               .found = Value::List{}},
                                .outcome = outcome});
    return report;
}

std::string field(const JournalFields& fields, const std::string& name) {
    const auto found =
        std::ranges::find(fields, name, &JournalFields::value_type::first);
    return found == fields.end() ? "" : found->second;
}

TEST(StateChanges, each_change_is_told_once) {
    const engine::Report fine = one(engine::Outcome::inSync);
    const engine::Report drifted = one(engine::Outcome::drifted);
    const auto first = stateChanges(savedOutcomes(toJson(fine)), drifted);
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(field(first[0], "FABRICCTL_RESOURCE"), "dcb/rail0/pfc");
    EXPECT_EQ(field(first[0], "FABRICCTL_STATE"), "drifted");
    EXPECT_EQ(field(first[0], "FABRICCTL_PREVIOUS_STATE"), "in-sync");
    EXPECT_EQ(field(first[0], "PRIORITY"), "4");
    EXPECT_TRUE(field(first[0], "MESSAGE").contains("wanted [3], found []"));
    EXPECT_TRUE(stateChanges(savedOutcomes(toJson(drifted)), drifted).empty());
    const auto back = stateChanges(savedOutcomes(toJson(drifted)), fine);
    ASSERT_EQ(back.size(), 1U);
    EXPECT_EQ(field(back[0], "FABRICCTL_STATE"), "in-sync");
}

TEST(StateChanges, changed_by_apply_and_not_applicable_are_as_wanted) {
    const auto before = savedOutcomes(toJson(one(engine::Outcome::changed)));
    EXPECT_TRUE(stateChanges(before, one(engine::Outcome::inSync)).empty());
    EXPECT_TRUE(stateChanges(before, one(engine::Outcome::notApplicable)).empty());
    EXPECT_EQ(stateChanges(before, one(engine::Outcome::failed)).size(), 1U);
}

TEST(StateChanges, without_a_saved_report_only_what_is_wrong_is_told) {
    EXPECT_TRUE(stateChanges(savedOutcomes(""), one(engine::Outcome::inSync)).empty());
    EXPECT_EQ(stateChanges(savedOutcomes("{"), one(engine::Outcome::failed)).size(),
              1U);
}

TEST(StateChanges, an_outcome_in_a_damaged_report_is_told_in_printable_words) {
    const std::string saved =
        R"({"resources":[{"id":"dcb/rail0/pfc","outcome":"a\u001b[2Jb"}]})";
    const auto changes =
        stateChanges(savedOutcomes(saved), one(engine::Outcome::inSync));
    ASSERT_EQ(changes.size(), 1U);
    for (const auto& [name, text] : changes.front()) {
        EXPECT_EQ(escapeForTerminal(text), text) << name;
    }
}

TEST(StateChanges, a_run_that_could_not_be_done_is_told_once_and_its_end_too) {
    engine::Report stopped = one(engine::Outcome::inSync);
    stopped.resources.clear();
    stopped.stopped = Error{.kind = ErrorKind::busy, .action = "lock"};
    EXPECT_EQ(stateChanges({}, stopped).size(), 1U);
    const auto saved = savedOutcomes(toJson(stopped));
    EXPECT_TRUE(stateChanges(saved, stopped).empty());
    EXPECT_EQ(stateChanges(saved, one(engine::Outcome::inSync)).size(), 1U);
}

TEST(Metrics, say_what_drifted_by_kind) {
    const std::string text = toMetrics(one(engine::Outcome::drifted), {}, "");
    EXPECT_TRUE(
        text.contains("fabricctl_resources{kind=\"dcb\",outcome=\"drifted\"} 1\n"));
    EXPECT_TRUE(
        text.contains("fabricctl_resources{kind=\"dcb\",outcome=\"in-sync\"} 0\n"));
    EXPECT_TRUE(text.contains("fabricctl_exit_code 2\n"));
    EXPECT_TRUE(text.contains("profile=\"say \\\"hi\\\"\""));
    EXPECT_FALSE(text.contains("fabricctl_last_success"));
    EXPECT_TRUE(text.contains("fabricctl_boot_applied 0\n"));
}

TEST(Metrics, the_last_success_outlives_a_failure) {
    const std::string good = toMetrics(one(engine::Outcome::inSync), {}, "");
    EXPECT_TRUE(good.contains("fabricctl_last_success_timestamp_seconds 1700000000\n"));
    engine::Report bad = one(engine::Outcome::failed);
    bad.started += std::chrono::hours(1);
    const std::string later = toMetrics(bad, {}, good);
    EXPECT_TRUE(
        later.contains("fabricctl_last_success_timestamp_seconds 1700000000\n"));
    EXPECT_TRUE(later.contains("fabricctl_last_run_timestamp_seconds 1700003600\n"));
}

TEST(Metrics, a_last_success_that_is_no_time_is_not_taken_over) {
    const std::string name = "fabricctl_last_success_timestamp_seconds";
    const std::string text =
        toMetrics(one(engine::Outcome::failed), {}, name + " 18446744073709551615\n");
    EXPECT_FALSE(text.contains(name));
}

TEST(Metrics, a_pending_restart_and_the_boot_are_told) {
    engine::Report report = one(engine::Outcome::drifted);
    report.resources.front().assessment.kind = resource::Kind::service;
    report.resources.front().assessment.property = "process";
    engine::BootRecord boot{.bootId = "this-boot", .finished = true, .exitCode = 3};
    const std::string text = toMetrics(report, boot, "");
    EXPECT_TRUE(text.contains("fabricctl_pending_restart 1\n"));
    EXPECT_TRUE(text.contains("fabricctl_boot_applied 1\n"));
    EXPECT_TRUE(text.contains("fabricctl_boot_exit_code 3\n"));
    boot.bootId = "another-boot";
    EXPECT_TRUE(toMetrics(report, boot, "").contains("fabricctl_boot_applied 0\n"));
}

TEST(Metrics, a_restart_that_could_not_be_judged_is_not_counted_as_none) {
    engine::Report report = one(engine::Outcome::notApplicable);
    report.resources.front().assessment.kind = resource::Kind::service;
    report.resources.front().assessment.property = "process";
    EXPECT_TRUE(toMetrics(report, {}, "").contains("fabricctl_pending_restart 0\n"));
    report.resources.front().outcome = engine::Outcome::unreadable;
    EXPECT_FALSE(toMetrics(report, {}, "").contains("fabricctl_pending_restart"));
    report.resources.clear();
    report.errors.emplace_back();
    EXPECT_FALSE(toMetrics(report, {}, "").contains("fabricctl_pending_restart"));
}

TEST(BootRecord, what_is_written_reads_back_as_the_same) {
    const engine::BootRecord record{
        .bootId = "b",
        .invocation = "i",
        .profile = "/etc/fabricctl/profile.yaml",
        .profileFiles = std::vector<engine::HashedFile>{{"/etc/p.yaml", "aa"}},
        .finished = true,
        .started = "s",
        .ended = "e",
        .endedUs = 123,
        .exitCode = 2,
        .result = "differs",
        .resources = 9,
        .first = engine::BootRecord::First{.ended = "f", .endedUs = 45, .exitCode = 3}};
    const auto read = parseBootRecord(toJson(record));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, record);
}

TEST(BootRecord, anything_else_is_malformed) {
    for (const char* const text :
         {"", "{}", "[]", "{\"schema\":\"fabricctl/boot/1\"}"}) {
        const auto read = parseBootRecord(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().kind, ErrorKind::malformed);
        // No words of the library that found it.
        EXPECT_FALSE(read.error().message().contains("exception")) << text;
    }
}

TEST(BootRecord, what_stands_in_a_damaged_file_is_told_in_printable_words) {
    const auto read = parseBootRecord("\xE2\x80\xAE\x1b[2J");
    ASSERT_FALSE(read);
    const std::string message = read.error().message();
    EXPECT_EQ(escapeForTerminal(message), message);
}

TEST(BootRecord, a_number_that_no_run_leaves_is_malformed) {
    const std::string whole =
        toJson(engine::BootRecord{.endedUs = 123, .exitCode = 2, .resources = 9});
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = whole;
        return parseBootRecord(text.replace(text.find(from), from.size(), to));
    };
    EXPECT_TRUE(with("123", "124"));
    EXPECT_FALSE(with("\"exit_code\": 2", "\"exit_code\": 1e300"));
    EXPECT_FALSE(with("\"exit_code\": 2", "\"exit_code\": -2"));
    EXPECT_FALSE(with("123", "1.5"));
    EXPECT_FALSE(with("\"resources\": 9", "\"resources\": -9"));
    EXPECT_FALSE(with("\"resources\": 9", "\"resources\": 9223372036854775808"));
    EXPECT_FALSE(with("\"resources\": 9", "\"resources\": true"));
}

TEST(BootRecord, A4_a_record_of_an_older_version_is_that_of_the_only_run) {
    const std::string older =
        R"({"boot_id":"b","ended":"e","ended_us":123,"exit_code":2,"finished":true,)"
        R"("invocation":"","profile":"p","resources":9,"result":"differs",)"
        R"("schema":"fabricctl/boot/1","started":"s"})";
    const auto read = parseBootRecord(older);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_FALSE(read->profileFiles) << "it is not known what was applied";
    EXPECT_EQ(read->first,
              (engine::BootRecord::First{.ended = "e", .endedUs = 123, .exitCode = 2}));
    std::string running = older;
    running.replace(running.find("true"), 4, "false");
    ASSERT_TRUE(parseBootRecord(running));
    EXPECT_FALSE(parseBootRecord(running)->first);
}

class BootRecordFile : public ::testing::Test {
  protected:
    fake::FakeNode& addRecord(const char* path = engine::kBootRecord) {
        return files_.addFile(path, toJson(engine::BootRecord{.bootId = "b"}));
    }

    std::string refusal() {
        const auto read = readBootRecord(files_);
        EXPECT_FALSE(read);
        return read ? "" : read.error().message();
    }

    fake::FakeFiles files_;
};

TEST_F(BootRecordFile, A6_that_of_root_alone_is_believed) {
    EXPECT_EQ(*readBootRecord(files_), std::nullopt);
    addRecord();
    const auto read = readBootRecord(files_);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ((*read)->bootId, "b");
}

TEST_F(BootRecordFile, A6_one_that_others_may_have_written_is_not_believed) {
    addRecord().owner = 1000;
    EXPECT_THAT(refusal(), HasSubstr("it belongs to uid 1000, not to root"));
    for (const mode_t mode : {0666, 0664, 0646}) {
        addRecord().mode = mode;
        EXPECT_THAT(refusal(), HasSubstr("lets others than root write it"));
    }
    addRecord();
    files_.find("/run/fabricctl")->owner = 1000;
    EXPECT_THAT(refusal(), HasSubstr("/run/fabricctl on the way to it belongs to"));
    files_.find("/run/fabricctl")->owner = 0;
    files_.find("/run/fabricctl")->mode = 0777;
    EXPECT_THAT(refusal(), HasSubstr("others than root may write /run/fabricctl"));
}

TEST_F(BootRecordFile, A6_a_link_is_not_believed_wherever_it_leads) {
    addRecord("/run/other/record.json");
    for (const char* const target : {"/run/other/record.json", "/none"}) {
        files_.erase(engine::kBootRecord);
        files_.addLink(engine::kBootRecord, target);
        EXPECT_THAT(refusal(), HasSubstr("it is a symbolic link"));
    }
}

}  // namespace
}  // namespace fabric::report
