// SPDX-License-Identifier: Apache-2.0
#include "profile/amounts.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace fabric::profile {

namespace {

TEST(Amounts, are_counted_in_the_unit_of_their_form) {
    EXPECT_EQ(parseAmount(Form::size, "256KiB"), 262'144);
    EXPECT_EQ(parseAmount(Form::size, "256kB"), 256'000);
    EXPECT_EQ(parseAmount(Form::size, "1TiB"), std::int64_t{1} << 40U);
    EXPECT_EQ(parseAmount(Form::rate, "100Gbit"), 100'000'000);
    EXPECT_EQ(parseAmount(Form::rate, "2.5Gbit"), 2'500'000);
    EXPECT_EQ(parseAmount(Form::rate, "0.001Mbit"), 1);
    EXPECT_EQ(parseAmount(Form::length, "5m"), 5);
    EXPECT_EQ(parseAmount(Form::duration, "30s"), 30'000);
    EXPECT_EQ(parseAmount(Form::duration, "5min"), 300'000);
    EXPECT_EQ(parseAmount(Form::duration, "250ms"), 250);
    EXPECT_EQ(parseAmount(Form::size, "0"), 0);
}

TEST(Amounts, that_are_not_exact_are_none) {
    for (const std::string_view text : {"",
                                        "KiB",
                                        "256",
                                        "256K",
                                        "256 KiB",
                                        "-1KiB",
                                        "+1KiB",
                                        "01KiB",
                                        "1.5KiB",
                                        "1e3KiB",
                                        "0x10KiB",
                                        "256kib",
                                        "99999999999TiB",
                                        "18446744073709551616B"}) {
        EXPECT_FALSE(parseAmount(Form::size, text)) << text;
    }
    EXPECT_FALSE(parseAmount(Form::rate, "0.0001kbit"));
    EXPECT_FALSE(parseAmount(Form::rate, "1.Gbit"));
    EXPECT_FALSE(parseAmount(Form::rate, "1.0000000001Gbit"));
    EXPECT_FALSE(parseAmount(Form::duration, "5m"));
}

TEST(Amounts, are_printed_as_short_as_exact) {
    EXPECT_EQ(amountText(Form::size, 262'144), "256KiB");
    EXPECT_EQ(amountText(Form::size, 257'000), "257kB");
    EXPECT_EQ(amountText(Form::size, 1), "1B");
    EXPECT_EQ(amountText(Form::rate, 2'500'000), "2500Mbit");
    EXPECT_EQ(amountText(Form::duration, 3'600'000), "1h");
    EXPECT_EQ(amountText(Form::duration, 0), "0ms");
    for (const std::int64_t amount : {1, 999, 1'000, 1'024, 123'456'789}) {
        EXPECT_EQ(parseAmount(Form::size, amountText(Form::size, amount)), amount);
        EXPECT_EQ(parseAmount(Form::rate, amountText(Form::rate, amount)), amount);
    }
}

TEST(Amounts, the_largest_ones_survive_in_every_unit) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t unit : {1, 1'000, 1'024, 1'000'000}) {
        const std::int64_t amount = kMost / unit * unit;
        EXPECT_EQ(parseAmount(Form::size, amountText(Form::size, amount)), amount);
        EXPECT_EQ(parseAmount(Form::rate, amountText(Form::rate, amount)), amount);
    }
    EXPECT_FALSE(parseAmount(Form::size, "9223372036854775808B"));
    EXPECT_FALSE(parseAmount(Form::rate, "9223372036854.775808Gbit"));
}

TEST(Amounts, that_are_nearly_right_are_repaired) {
    EXPECT_EQ(repairedAmount(Form::size, "256K"), "256KiB");
    EXPECT_EQ(repairedAmount(Form::size, "256 kib"), "256KiB");
    EXPECT_EQ(repairedAmount(Form::size, "256KB"), "256kB");
    EXPECT_EQ(repairedAmount(Form::rate, "100G"), "100Gbit");
    EXPECT_EQ(repairedAmount(Form::rate, "100Gbps"), "100Gbit");
    EXPECT_EQ(repairedAmount(Form::rate, "100gbit"), "100Gbit");
    EXPECT_EQ(repairedAmount(Form::length, "5"), "5m");
    EXPECT_EQ(repairedAmount(Form::length, "5 metres"), "5m");
    EXPECT_EQ(repairedAmount(Form::duration, "30 seconds"), "30s");
    EXPECT_EQ(repairedAmount(Form::duration, "5m"), "5min");
    EXPECT_EQ(repairedAmount(Form::size, "lots"), "");
    EXPECT_EQ(repairedAmount(Form::size, "99999999999T"), "");
}

}  // namespace

}  // namespace fabric::profile
