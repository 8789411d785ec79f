// SPDX-License-Identifier: Apache-2.0
#include "engine/boot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::engine {
namespace {

using resource::Assessment;
using resource::Comparison;
using resource::Severity;
using resource::Verdict;
using ::testing::HasSubstr;

constexpr std::uint64_t kSecond = 1'000'000;

host::ServiceUnit unitOf(const std::string& name, std::uint64_t startedUs) {
    host::ServiceUnit unit;
    unit.name = name;
    unit.loadState = "loaded";
    unit.activeState = startedUs == 0 ? "inactive" : "active";
    unit.unitFileState = "enabled";
    unit.inactiveExitUs = startedUs;
    unit.activeEnterUs = startedUs;
    return unit;
}

BootRecord recordOf(const std::string& bootId, int exitCode = 0) {
    return {.bootId = bootId,
            .invocation = "0123",
            .finished = true,
            .started = "2026-01-31T12:00:00Z",
            .ended = "2026-01-31T12:00:02Z",
            .endedUs = 20 * kSecond,
            .exitCode = exitCode,
            .result = exitCode == 0 ? "converged" : "partial",
            .first = BootRecord::First{.ended = "2026-01-31T12:00:02Z",
                                       .endedUs = 20 * kSecond,
                                       .exitCode = exitCode}};
}

BootFacts facts() {
    return {.bootId = "this-boot",
            .record = std::nullopt,
            .unit = unitOf("fabricctl.service", 0),
            .service = unitOf("minio.service", 30 * kSecond),
            .serviceName = "minio.service",
            .journal = std::vector<host::JournalEntry>{}};
}

Assessment run(const BootFacts& facts) {
    return compareBoot(facts).assessments.front();
}

TEST(Boot, S11_an_enabled_unit_that_never_ran_in_this_boot_is_drift) {
    const Assessment assessment = run(facts());
    EXPECT_EQ(assessment.id, "boot/fabricctl.service");
    EXPECT_EQ(assessment.verdict, Verdict::differs);
    EXPECT_THAT(assessment.reason, HasSubstr("enabled and never started in this boot"));
}

TEST(Boot, S11_the_record_of_another_boot_proves_nothing) {
    BootFacts known = facts();
    known.record = recordOf("another-boot");
    EXPECT_EQ(run(known).verdict, Verdict::differs);
}

TEST(Boot, a_run_of_this_boot_is_told_with_its_time_and_its_invocation) {
    BootFacts known = facts();
    known.record = recordOf("this-boot");
    const Assessment assessment = run(known);
    EXPECT_EQ(assessment.verdict, Verdict::inSync);
    EXPECT_THAT(assessment.found.toText(), HasSubstr("2026-01-31T12:00:02Z"));
    EXPECT_THAT(assessment.found.toText(), HasSubstr("0123"));
}

TEST(Boot, a_run_that_failed_is_no_success_because_it_ran) {
    BootFacts known = facts();
    known.record = recordOf("this-boot", 3);
    EXPECT_EQ(run(known).verdict, Verdict::failed);
    known.record = recordOf("this-boot", 2);
    EXPECT_EQ(run(known).verdict, Verdict::differs);
    known.record = recordOf("this-boot", 6);
    EXPECT_EQ(run(known).verdict, Verdict::unreadable);
}

TEST(Boot, a_run_that_began_and_never_ended_failed_unless_it_still_runs) {
    BootFacts known = facts();
    known.record = recordOf("this-boot");
    (**known.record).finished = false;
    EXPECT_EQ(run(known).verdict, Verdict::failed);
    known.unit->activeState = "activating";
    EXPECT_EQ(run(known).verdict, Verdict::differs);
}

TEST(Boot, a_unit_that_started_and_left_no_record_failed) {
    BootFacts known = facts();
    known.unit->inactiveExitUs = kSecond;
    EXPECT_EQ(run(known).verdict, Verdict::failed);
}

TEST(Boot, a_disabled_and_a_masked_unit_have_their_own_next_command) {
    BootFacts known = facts();
    known.unit->unitFileState = "disabled";
    EXPECT_THAT(run(known).fix, HasSubstr("systemctl enable --now"));
    known.unit->loadState = "masked";
    EXPECT_THAT(run(known).fix, HasSubstr("systemctl unmask"));
}

TEST(Boot, what_cannot_be_asked_is_unreadable_and_no_manager_is_never) {
    BootFacts known = facts();
    known.unit = fail({.kind = ErrorKind::timeout, .action = "ask"});
    EXPECT_EQ(run(known).verdict, Verdict::unreadable);
    known.unit = fail({.kind = ErrorKind::notFound, .action = "ask"});
    EXPECT_EQ(run(known).verdict, Verdict::differs);
    known.record = fail({.kind = ErrorKind::malformed, .action = "read"});
    EXPECT_EQ(run(known).verdict, Verdict::unreadable);
}

TEST(Boot, a_service_that_started_before_the_host_was_configured_is_told) {
    BootFacts known = facts();
    known.record = recordOf("this-boot");
    const Comparison after = compareBoot(known);
    ASSERT_EQ(after.assessments.size(), 2U);
    EXPECT_EQ(after.assessments[1].verdict, Verdict::inSync);
    known.service->inactiveExitUs = 10 * kSecond;
    const Comparison before = compareBoot(known);
    EXPECT_EQ(before.assessments[1].id, "boot/minio.service");
    EXPECT_EQ(before.assessments[1].verdict, Verdict::differs);
    EXPECT_THAT(before.assessments[1].fix,
                HasSubstr("systemctl restart minio.service"));
}

TEST(Boot, a_service_that_is_not_there_has_no_order) {
    BootFacts known = facts();
    known.record = recordOf("this-boot");
    known.service->loadState = "not-found";
    EXPECT_EQ(compareBoot(known).assessments.size(), 1U);
    known.service = unitOf("minio.service", 0);
    EXPECT_EQ(compareBoot(known).assessments.size(), 1U);
}

TEST(Boot, S12_a_job_that_systemd_deleted_explains_why_the_unit_never_ran) {
    BootFacts known = facts();
    known.journal = std::vector<host::JournalEntry>{
        {.message =
             "lab-cycle.service: Found ordering cycle on fabricctl.service/start"},
        {.message = "lab-cycle.service: Found dependency on lab-cycle.service/start"},
        {.message = "lab-cycle.service: Job fabricctl.service/start deleted to break "
                    "ordering cycle starting with lab-cycle.service/start"}};
    const Comparison seen = compareBoot(known);
    EXPECT_THAT(seen.assessments.front().reason, HasSubstr("ordering cycle"));
    ASSERT_EQ(seen.findings.size(), 1U);
    EXPECT_EQ(seen.findings.front().id, "boot.cycle");
    EXPECT_EQ(seen.findings.front().severity, Severity::fail);
    EXPECT_THAT(seen.findings.front().evidence, HasSubstr("lab-cycle.service"));
}

TEST(Boot, a_journal_that_cannot_be_read_is_said) {
    BootFacts known = facts();
    known.record = recordOf("this-boot");
    known.journal = fail({.kind = ErrorKind::permission, .action = "open"});
    const Comparison seen = compareBoot(known);
    ASSERT_EQ(seen.findings.size(), 1U);
    EXPECT_EQ(seen.findings.front().id, "boot.journal");
}

class At final : public host::Clock {
  public:
    explicit At(std::uint64_t second) : second_(second) {}

    [[nodiscard]] std::chrono::steady_clock::time_point now() const override {
        return std::chrono::steady_clock::time_point(std::chrono::seconds(second_));
    }

    [[nodiscard]] std::chrono::system_clock::time_point wallTime() const override {
        return std::chrono::system_clock::time_point(std::chrono::seconds(second_));
    }

  private:
    std::uint64_t second_;
};

// A run of this boot that ended then, good or stopped, after what was there before.
BootRecord runAfter(const std::optional<BootRecord>& earlier,
                    std::uint64_t second,
                    bool good = true) {
    Report report;
    report.bootId = "this-boot";
    if (!good) {
        report.stopped = Error{.action = "look"};
    }
    BootRecord record = beginBootRecord(report, "", earlier);
    finishBootRecord(report, At(second), {}, record);
    return record;
}

Verdict orderAfter(const BootRecord& record, std::uint64_t startedUs) {
    BootFacts known = facts();
    known.record = record;
    known.service->inactiveExitUs = startedUs;
    return compareBoot(known).assessments.at(1).verdict;
}

TEST(Boot, A4_a_later_run_does_not_make_a_server_late) {
    const BootRecord again = runAfter(runAfter(std::nullopt, 20), 100);
    EXPECT_EQ(again.endedUs, 100 * kSecond);
    EXPECT_EQ(orderAfter(again, 30 * kSecond), Verdict::inSync);
    EXPECT_EQ(orderAfter(again, 10 * kSecond), Verdict::differs);
    // Nor does one that fails, or is still running.
    const BootRecord bad = runAfter(again, 200, false);
    EXPECT_EQ(orderAfter(bad, 30 * kSecond), Verdict::inSync);
    Report report;
    report.bootId = "this-boot";
    EXPECT_EQ(orderAfter(beginBootRecord(report, "", bad), 30 * kSecond),
              Verdict::inSync);
}

TEST(Boot, A4_a_server_between_a_failed_run_and_the_first_good_one_is_late) {
    const BootRecord failed = runAfter(std::nullopt, 20, false);
    const BootRecord second = runAfter(failed, 100);
    EXPECT_EQ(orderAfter(second, 30 * kSecond), Verdict::differs);
    EXPECT_EQ(orderAfter(second, 130 * kSecond), Verdict::inSync);
    EXPECT_EQ(orderAfter(runAfter(second, 300), 130 * kSecond), Verdict::inSync);
    // While none ended well, the first that ended counts.
    EXPECT_EQ(orderAfter(runAfter(failed, 100, false), 30 * kSecond), Verdict::inSync);
}

TEST(Boot, A4_runs_of_another_boot_count_for_nothing) {
    BootRecord other = runAfter(std::nullopt, 20);
    other.bootId = "another-boot";
    EXPECT_EQ(runAfter(other, 100).first->endedUs, 100 * kSecond);
}

TEST(Boot, B6_a_record_that_is_gone_after_a_good_run_is_said) {
    BootFacts known = facts();
    known.unit = unitOf("fabricctl.service", kSecond);
    const Assessment gone = run(known);
    EXPECT_EQ(gone.verdict, Verdict::unreadable);
    EXPECT_THAT(gone.reason, HasSubstr("ended well"));
    EXPECT_THAT(gone.reason, HasSubstr("boot.json is gone"));
    EXPECT_THAT(gone.fix, HasSubstr("systemctl restart fabricctl.service"));
    known.record = recordOf("another-boot");
    EXPECT_THAT(run(known).reason, HasSubstr("is of another boot (another-boot)"));
    known.unit->activeState = "failed";
    EXPECT_EQ(run(known).verdict, Verdict::failed);
}

TEST(Boot, C3_a_service_that_is_not_ordered_after_the_boot_unit_is_told) {
    BootFacts known = facts();
    known.record = recordOf("this-boot");
    known.service = unitOf("minio@a.service", 30 * kSecond);
    known.serviceName = "minio@a.service";
    EXPECT_TRUE(compareBoot(known).findings.empty()) << "nobody told";
    known.service->after = std::vector<std::string>{"network.target"};
    const Comparison seen = compareBoot(known);
    ASSERT_EQ(seen.findings.size(), 1U);
    EXPECT_EQ(seen.findings.front().id, "boot.not-ordered");
    EXPECT_EQ(seen.findings.front().severity, Severity::warn);
    EXPECT_THAT(seen.findings.front().fix, HasSubstr("Before=minio@a.service"));
    known.service->after->emplace_back("fabricctl.service");
    EXPECT_TRUE(compareBoot(known).findings.empty());
}

constexpr const char* kStanding = "/etc/fabricctl/profile.yaml";

// This boot was configured with `was`; `asked` is the profile of today.
Comparison appliedThen(std::vector<HashedFile> was, std::vector<HashedFile> asked) {
    BootFacts known = facts();
    BootRecord record = recordOf("this-boot");
    record.profile = was.empty() ? "" : was.front().path;
    record.profileFiles = std::move(was);
    known.record = std::move(record);
    known.profileFiles = std::move(asked);
    return compareBoot(known);
}

TEST(Boot, a_boot_configured_with_another_profile_is_no_proof_of_this_one) {
    const Assessment other =
        appliedThen({{"/etc/other.yaml", "aa"}}, {{kStanding, "bb"}})
            .assessments.back();
    EXPECT_EQ(other.id, "boot/fabricctl.service/profile");
    EXPECT_EQ(other.verdict, Verdict::differs);
    EXPECT_TRUE(other.beyondApply) << "an apply does not rewrite the record";
    EXPECT_THAT(other.reason, HasSubstr("configured with /etc/other.yaml"));
    EXPECT_EQ(other.fix, std::string("fabricctl apply --boot ") + kStanding);
    EXPECT_THAT(other.found.toText(), HasSubstr("aa"));
}

TEST(Boot, a_profile_that_was_edited_since_the_boot_is_another_one) {
    const Assessment edited =
        appliedThen({{kStanding, "aa"}}, {{kStanding, "bb"}}).assessments.back();
    EXPECT_EQ(edited.verdict, Verdict::differs);
    EXPECT_THAT(edited.reason,
                HasSubstr("other contents of " + std::string(kStanding)));
    EXPECT_EQ(edited.fix, "systemctl restart fabricctl.service");
    // So is one of which a file below was edited, added or left out.
    const HashedFile standing{kStanding, "aa"};
    const HashedFile base{"/usr/share/base.yaml", "bb"};
    const HashedFile newer{"/usr/share/base.yaml", "cc"};
    EXPECT_THAT(
        appliedThen({standing, base}, {standing, newer}).assessments.back().reason,
        HasSubstr("/usr/share/base.yaml"));
    EXPECT_EQ(appliedThen({standing}, {standing, base}).assessments.back().verdict,
              Verdict::differs);
    EXPECT_EQ(appliedThen({standing, base}, {standing}).assessments.back().verdict,
              Verdict::differs);
}

TEST(Boot, the_same_profile_is_the_same_wherever_it_lies) {
    const Assessment same =
        appliedThen({{"/srv/a.yaml", "aa"}}, {{kStanding, "aa"}}).assessments.back();
    EXPECT_EQ(same.id, "boot/fabricctl.service/profile");
    EXPECT_EQ(same.verdict, Verdict::inSync);
}

TEST(Boot, a_record_that_does_not_tell_its_profile_is_not_taken_for_the_same) {
    BootFacts known = facts();
    known.record = recordOf("this-boot");
    known.profileFiles = {{kStanding, "aa"}};
    EXPECT_EQ(compareBoot(known).assessments.back().verdict, Verdict::unreadable);
    EXPECT_EQ(
        appliedThen({{kStanding, "aa"}}, {{kStanding, ""}}).assessments.back().verdict,
        Verdict::unreadable);
    EXPECT_EQ(
        appliedThen({{kStanding, ""}}, {{kStanding, ""}}).assessments.back().verdict,
        Verdict::unreadable);
    // A run without a valid profile failed by itself.
    EXPECT_EQ(appliedThen({}, {{kStanding, "aa"}}).assessments.size(), 2U);
}

}  // namespace
}  // namespace fabric::engine
