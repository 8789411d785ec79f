// SPDX-License-Identifier: Apache-2.0
#include "engine/ordering_cycle.hpp"

#include <gtest/gtest.h>

namespace fabric::engine {
namespace {

using resource::Severity;

const std::vector<std::string> kUnits{"fabricctl.service", "minio.service"};

std::vector<resource::Finding> findingsOf(
    const std::vector<host::JournalEntry>& entries) {
    return cycleFindings(findOrderingCycles(entries), kUnits);
}

// Recorded from systemd 252: a line per unit of the circle.
const std::vector<host::JournalEntry> kOldWording{
    {.message = "a.service: Found ordering cycle on fabricctl.service/start"},
    {.message = "a.service: Found dependency on a.service/start"},
    {.message =
         "a.service: Job fabricctl.service/start deleted to break ordering cycle "
         "starting with a.service/start"}};

TEST(OrderingCycle, S12_the_wording_up_to_256_names_the_deleted_job) {
    const OrderingCycles cycles = findOrderingCycles(kOldWording);
    EXPECT_EQ(cycles.deleted, std::vector<std::string>{"fabricctl.service"});
    EXPECT_EQ(cycles.messages.size(), 3U);
}

TEST(OrderingCycle, S12_the_newer_wording_has_the_circle_on_one_line) {
    const auto findings = findingsOf(
        {{.message = "b.service: Found ordering cycle: minio.service/start after "
                     "x.service/start after b.service/start - after minio.service"},
         {.message = "b.service: Job minio.service/start deleted to break ordering "
                     "cycle starting with b.service/start"}});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().severity, Severity::fail);
    EXPECT_TRUE(findings.front().summary.contains("minio.service"));
}

TEST(OrderingCycle, S12_message_ids_tell_a_circle_whatever_its_words_are) {
    const auto findings = findingsOf({{.message = "Circle.",
                                       .messageId = "f27a3f94406a4783b946a9bc849e9452",
                                       .unit = "x.service"},
                                      {.message = "Job taken out.",
                                       .messageId = "5084367542f7472dbc6a94125d5debce",
                                       .unit = "fabricctl.service"}});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().severity, Severity::fail);
}

TEST(OrderingCycle, S12_the_deleted_job_of_the_service_itself_is_a_failure) {
    const auto findings = findingsOf(
        {{.message = "fabricctl.service: Job minio.service/start deleted to break "
                     "ordering cycle starting with fabricctl.service/start"}});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().severity, Severity::fail);
    EXPECT_TRUE(findings.front().summary.contains("minio.service"));
}

TEST(OrderingCycle, a_circle_that_only_passes_through_us_is_a_warning) {
    const auto findings = findingsOf(
        {{.message = "x.service: Found ordering cycle on y.service/start"},
         {.message = "x.service: Found dependency on fabricctl.service/start"},
         {.message = "x.service: Job y.service/start deleted to break ordering cycle "
                     "starting with x.service/start"}});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().severity, Severity::warn);
}

TEST(OrderingCycle, circles_of_others_are_nobodys_business) {
    EXPECT_TRUE(
        findingsOf(
            {{.message = "x.service: Found ordering cycle on y.service/start"},
             {.message = "x.service: Job my-minio.service/start deleted to break "
                         "ordering cycle starting with x.service/start"},
             {.message = "minio.service: Failed with result 'exit-code'."}})
            .empty());
}

}  // namespace
}  // namespace fabric::engine
