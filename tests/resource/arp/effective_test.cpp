// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/effective.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace fabric::resource::arp {
namespace {

using host::Ipv4Key;

TEST(ArpEffective, the_larger_of_own_and_all_takes_effect) {
    for (const Ipv4Key key :
         {Ipv4Key::arpIgnore, Ipv4Key::arpAnnounce, Ipv4Key::rpFilter}) {
        EXPECT_EQ(combined(key, 1, 0), 1);
        EXPECT_EQ(combined(key, 1, 4), 4);
        EXPECT_EQ(combined(key, -1, 0), 0);
        EXPECT_EQ(combined(key, -1, std::numeric_limits<std::int32_t>::min()), -1);
    }
}

TEST(ArpEffective, one_of_the_two_is_enough_for_arp_filter) {
    EXPECT_EQ(combined(Ipv4Key::arpFilter, 0, 0), 0);
    EXPECT_EQ(combined(Ipv4Key::arpFilter, 0, 1), 1);
    EXPECT_EQ(combined(Ipv4Key::arpFilter, 1, 0), 1);
    EXPECT_EQ(combined(Ipv4Key::arpFilter, 7, 0), 1);
}

TEST(ArpEffective, H02_only_one_and_two_pass_for_arp_ignore) {
    for (std::int32_t value = -1; value <= 12; ++value) {
        const Fit fit = fitOf(Ipv4Key::arpIgnore, 1, value);
        const Fit expected = value == 1   ? Fit::met
                             : value == 2 ? Fit::stricter
                                          : Fit::no;
        EXPECT_EQ(fit, expected) << value;
        EXPECT_EQ(fitOf(Ipv4Key::arpIgnore, 2, value), value == 2 ? Fit::met : Fit::no)
            << value;
    }
}

TEST(ArpEffective, H03_only_two_passes_for_arp_announce) {
    for (const std::int32_t value : {-1, 0, 1, 3, 4, 255}) {
        EXPECT_EQ(fitOf(Ipv4Key::arpAnnounce, 2, value), Fit::no) << value;
    }
    EXPECT_EQ(fitOf(Ipv4Key::arpAnnounce, 2, 2), Fit::met);
    EXPECT_EQ(meaningOf(Ipv4Key::arpAnnounce, 3), meaningOf(Ipv4Key::arpAnnounce, 0));
}

TEST(ArpEffective, rp_filter_has_to_be_equal) {
    EXPECT_EQ(fitOf(Ipv4Key::rpFilter, 0, 2), Fit::no);
    EXPECT_EQ(fitOf(Ipv4Key::rpFilter, 2, 1), Fit::no);
    EXPECT_EQ(fitOf(Ipv4Key::rpFilter, 2, 2), Fit::met);
}

TEST(ArpEffective, H02_reserved_values_mean_what_zero_means) {
    for (const std::int32_t value : {-1, 4, 5, 6, 7, 9, 100}) {
        EXPECT_EQ(meaningOf(Ipv4Key::arpIgnore, value),
                  meaningOf(Ipv4Key::arpIgnore, 0))
            << value;
    }
    EXPECT_NE(meaningOf(Ipv4Key::arpIgnore, 8), meaningOf(Ipv4Key::arpIgnore, 0));
    EXPECT_NE(meaningOf(Ipv4Key::arpIgnore, 3), meaningOf(Ipv4Key::arpIgnore, 1));
}

TEST(ArpEffective, keys_that_the_profile_does_not_name_are_not_wanted) {
    const profile::ArpSettings standard;
    EXPECT_EQ(wantedValues(standard),
              (host::Ipv4Values{{Ipv4Key::arpIgnore, 1}, {Ipv4Key::arpAnnounce, 2}}));
    const profile::ArpSettings loose{
        .ignore = std::nullopt, .announce = std::nullopt, .rpFilter = 2};
    EXPECT_EQ(wantedValues(loose), (host::Ipv4Values{{Ipv4Key::rpFilter, 2}}));
}

TEST(ArpEffective, conf_all_decides_only_when_it_is_larger) {
    EXPECT_TRUE(readingOf(Ipv4Key::arpIgnore, 1, 4).allDecides());
    EXPECT_FALSE(readingOf(Ipv4Key::arpIgnore, 4, 1).allDecides());
    EXPECT_FALSE(readingOf(Ipv4Key::arpIgnore, 1, 1).allDecides());
}

}  // namespace
}  // namespace fabric::resource::arp
