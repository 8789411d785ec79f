// SPDX-License-Identifier: Apache-2.0
#include "snapshot/app_table.hpp"

#include "resource/dcb/answer.hpp"

#include <gmock/gmock.h>

namespace fabric::snapshot {
namespace {

using resource::dcb::AppEntry;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

AppEntry dscp(std::uint16_t number, std::uint8_t priority) {
    return {.selector = resource::dcb::kSelectorDscp,
            .protocol = number,
            .priority = priority};
}

std::vector<std::string> said(const std::vector<resource::Write>& writes) {
    std::vector<std::string> words;
    for (const resource::Write& write : writes) {
        words.push_back(
            resource::dcb::describe(std::get<resource::DcbWrite>(write).request));
    }
    return words;
}

std::vector<std::string> between(const std::vector<AppEntry>& found,
                                 const std::vector<AppEntry>& wanted,
                                 std::string_view driver) {
    return said(appWrites(found, wanted, resource::dcb::driverFacts(driver), {7}));
}

TEST(AppTable, an_equal_table_is_not_written) {
    EXPECT_THAT(
        between({dscp(26, 3), dscp(0, 0)}, {dscp(26, 3), dscp(0, 0)}, "mlx5_core"),
        IsEmpty());
}

TEST(AppTable, what_came_goes_and_what_went_comes_from_the_oldest_on) {
    EXPECT_THAT(
        between(
            {dscp(46, 6), dscp(0, 0)}, {dscp(26, 3), dscp(24, 3), dscp(0, 0)}, "ice"),
        ElementsAre("set DSCP 24 -> priority 3",
                    "set DSCP 26 -> priority 3",
                    "delete DSCP 46 -> priority 6"));
}

TEST(AppTable, a_driver_that_replaces_is_not_told_to_delete_first) {
    EXPECT_THAT(between({dscp(26, 3)}, {dscp(26, 1)}, "mlx5_core"),
                ElementsAre("set DSCP 26 -> priority 1"));
}

TEST(AppTable, any_other_driver_is) {
    EXPECT_THAT(
        between({dscp(26, 3)}, {dscp(26, 1)}, "ice"),
        ElementsAre("delete DSCP 26 -> priority 3", "set DSCP 26 -> priority 1"));
}

TEST(AppTable, order_alone_is_put_back_by_moving_the_newer_to_the_front) {
    EXPECT_THAT(between({dscp(1, 0), dscp(2, 0)}, {dscp(2, 0), dscp(1, 0)}, "bnxt_en"),
                ElementsAre("delete DSCP 2 -> priority 0", "set DSCP 2 -> priority 0"));
}

TEST(AppTable, one_dscp_listed_twice_comes_back_twice) {
    EXPECT_THAT(between({}, {dscp(26, 5), dscp(26, 3)}, "bnxt_en"),
                ElementsAre("set DSCP 26 -> priority 3", "set DSCP 26 -> priority 5"));
}

}  // namespace
}  // namespace fabric::snapshot
