// SPDX-License-Identifier: Apache-2.0
#include "report/confirm_record.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace fabric::report {
namespace {

TEST(ConfirmRecordNumbers, one_that_would_be_read_as_another_is_malformed) {
    const std::string whole = toJson(
        engine::ConfirmRecord{.id = "20260131T120000Z-000001",
                              .keeper = {.timer = "", .process = 7, .processStart = 9},
                              .exitCode = 3});
    const std::vector<std::pair<std::string, std::string>> changes{
        // The lower half of the first is process 7: another one would be ended.
        {"\"process\": 7", "\"process\": 4294967303"},
        {"\"process\": 7", "\"process\": -7"},
        {"\"process\": 7", "\"process\": 7.5"},
        {"\"process\": 7", "\"process\": true"},
        {"\"process_start\": 9", "\"process_start\": 1e300"},
        {"\"process_start\": 9", "\"process_start\": 9223372036854775808"},
        {"\"exit_code\": 3", "\"exit_code\": 256"}};
    ASSERT_TRUE(parseConfirmRecord(whole));
    for (const auto& [from, to] : changes) {
        std::string text = whole;
        ASSERT_NE(text.find(from), std::string::npos) << from;
        const auto read =
            parseConfirmRecord(text.replace(text.find(from), from.size(), to));
        ASSERT_FALSE(read) << to;
        EXPECT_EQ(read.error().kind, ErrorKind::malformed);
    }
}

}  // namespace
}  // namespace fabric::report
