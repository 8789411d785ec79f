// SPDX-License-Identifier: Apache-2.0
#include "base/address.hpp"

#include <gtest/gtest.h>

namespace fabric {
namespace {

TEST(PciAddress, A07_domains_of_four_and_five_digits) {
    const auto vmd = PciAddress::parse("10000:e1:00.7");
    ASSERT_TRUE(vmd);
    EXPECT_EQ(vmd->domain, 0x10000U);
    EXPECT_EQ(vmd->text(), "10000:e1:00.7");
    EXPECT_EQ(PciAddress::parse("0008:06:00.0")->domain, 8U);
}

TEST(PciAddress, refuses_what_is_not_an_address) {
    for (const char* text : {"",
                             "1a:00.0",
                             "0000:1a:00",
                             "0000:1a:20.0",
                             "0000:1a:00.8",
                             "0000:1a:00.0 ",
                             "000g:1a:00.0",
                             "123456789:1a:00.0",
                             "pci0000:00"}) {
        EXPECT_FALSE(PciAddress::parse(text)) << text;
    }
}

TEST(MacAddress, round_trips) {
    const auto mac = MacAddress::parse("B8:ce:f6:00:00:01");
    ASSERT_TRUE(mac);
    EXPECT_EQ(mac->text(), "b8:ce:f6:00:00:01");
    EXPECT_FALSE(MacAddress::parse("b8:ce:f6:00:00"));
    EXPECT_FALSE(MacAddress::parse("b8:ce:f6:00:00:1"));
    EXPECT_FALSE(MacAddress::parse("b8:ce:f6:00:00:0x"));
}

}  // namespace
}  // namespace fabric
