// SPDX-License-Identifier: Apache-2.0
#include "base/ip_address.hpp"

#include <gtest/gtest.h>

namespace fabric {
namespace {

IpAddress of(std::string_view text) {
    return IpAddress::parse(text).value();
}

TEST(IpAddress, text_is_read_and_printed) {
    EXPECT_EQ(of("10.0.1.2"), IpAddress::v4(10, 0, 1, 2));
    EXPECT_EQ(of("10.0.1.2").text(), "10.0.1.2");
    EXPECT_EQ(of("FD00:0::2").text(), "fd00::2");
    EXPECT_TRUE(of("fd00::2").ipv6);
}

TEST(IpAddress, what_is_no_address_is_none) {
    for (const std::string_view text : {std::string_view{""},
                                        std::string_view{"10.0.1"},
                                        std::string_view{"10.0.1.256"},
                                        std::string_view{"10.0.1.2 "},
                                        std::string_view{"10.0.1.2\0x", 10},
                                        std::string_view{"fe80::1%eth0"},
                                        std::string_view{"node2"}}) {
        EXPECT_FALSE(IpAddress::parse(text)) << text;
    }
}

TEST(IpAddress, bytes_of_the_wrong_length_are_none) {
    const std::array<std::byte, 16> bytes{std::byte{10}};
    EXPECT_EQ(IpAddress::fromBytes(std::span(bytes).first(4)),
              IpAddress::v4(10, 0, 0, 0));
    EXPECT_TRUE(IpAddress::fromBytes(bytes)->ipv6);
    EXPECT_FALSE(IpAddress::fromBytes(std::span(bytes).first(5)));
    EXPECT_FALSE(IpAddress::fromBytes({}));
}

TEST(IpAddress, groups_and_link_local_addresses) {
    EXPECT_TRUE(of("224.0.0.22").isMulticast());
    EXPECT_TRUE(of("239.255.255.255").isMulticast());
    EXPECT_FALSE(of("240.0.0.1").isMulticast());
    EXPECT_TRUE(of("ff02::1").isMulticast());
    EXPECT_TRUE(of("fe80::1").isLinkLocal());
    EXPECT_TRUE(of("febf::1").isLinkLocal());
    EXPECT_FALSE(of("fec0::1").isLinkLocal());
    EXPECT_TRUE(of("169.254.3.4").isLinkLocal());
    EXPECT_FALSE(of("169.253.3.4").isLinkLocal());
}

TEST(IpAddress, a_prefix_is_shared_bit_by_bit) {
    EXPECT_TRUE(of("10.0.1.2").sharesPrefix(of("10.0.1.200"), 24));
    EXPECT_FALSE(of("10.0.1.2").sharesPrefix(of("10.0.2.2"), 24));
    EXPECT_TRUE(of("10.0.1.2").sharesPrefix(of("10.0.2.2"), 22));
    EXPECT_FALSE(of("10.0.1.2").sharesPrefix(of("10.0.1.3"), 32));
    EXPECT_TRUE(of("10.0.1.2").sharesPrefix(of("10.0.1.2"), 32));
    EXPECT_TRUE(of("10.0.1.2").sharesPrefix(of("192.168.0.1"), 0));
    EXPECT_FALSE(of("10.0.1.2").sharesPrefix(of("fd00::1"), 0));
    EXPECT_FALSE(of("10.0.1.2").sharesPrefix(of("10.0.1.2"), 33));
    EXPECT_TRUE(of("fd00::1").sharesPrefix(of("fd00::2"), 64));
}

}  // namespace
}  // namespace fabric
