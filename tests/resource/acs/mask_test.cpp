// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/mask.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::acs {
namespace {

TEST(AcsMask, redirect_clears_the_redirecting_bits_and_keeps_sv_and_uf) {
    EXPECT_EQ(applied(0x001D, 0x005F, kRedirectMasks), 0x0011);
}

TEST(AcsMask, A09_egress_control_never_stays_when_request_redirect_goes) {
    EXPECT_EQ(applied(0x007F, 0x007F, kRedirectMasks) & 0x2C, 0);
    EXPECT_EQ(applied(0x0024, 0x007F, kRedirectMasks), 0x0000);
}

TEST(AcsMask, A10_bits_above_6_are_kept_by_every_clearing_mask) {
    EXPECT_EQ(applied(0x1A9D, 0x009F, kRedirectMasks), 0x1A91);
    EXPECT_EQ(applied(0x1A9D, 0x009F, kAllMasks), 0x1A80);
}

TEST(AcsMask, A10_bits_above_6_are_printed) {
    EXPECT_EQ(bitNames(0x1A9D), "SV RR CR UF IORB URR DSP-target=2 USP-target=2");
    EXPECT_EQ(bitNames(0x8000), "bit15");
}

TEST(AcsMask, a_bit_is_only_set_where_the_capability_offers_it) {
    EXPECT_EQ(applied(0x0000, 0x0015, {.clear = 0, .set = 0x1D}), 0x0015);
}

TEST(AcsMask, names_follow_the_bits) {
    EXPECT_EQ(bitNames(0x007F), "SV TB RR CR UF EC DT");
    EXPECT_EQ(bitNames(0), "none");
    EXPECT_EQ(hex(0x1D), "0x001d");
}

}  // namespace
}  // namespace fabric::resource::acs
