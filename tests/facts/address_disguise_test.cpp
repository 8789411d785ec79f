// SPDX-License-Identifier: Apache-2.0
// Properties of the disguise, over many addresses and salts.
#include "facts/address_disguise.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace fabric::facts {
namespace {

IpAddress ip(std::string_view text) {
    return IpAddress::parse(text).value();
}

MacAddress mac(std::string_view text) {
    return MacAddress::parse(text).value();
}

unsigned sharedBits(const IpAddress& left, const IpAddress& right) {
    unsigned bits = 0;
    const auto most = static_cast<unsigned>(left.bytes().size() * 8);
    while (bits < most && left.sharesPrefix(right, bits + 1)) {
        ++bits;
    }
    return bits;
}

// Addresses that lie near one another, as those of a fabric do.
IpAddress neighbourOf(IpAddress address, std::mt19937& random) {
    const std::size_t from = random() % address.bytes().size();
    for (std::size_t at = from; at < address.bytes().size(); ++at) {
        address.octets.at(at) = static_cast<std::uint8_t>(random());
    }
    return address;
}

class Disguised : public ::testing::TestWithParam<const char*> {};

TEST_P(Disguised, addresses_share_as_many_bits_as_before) {
    std::mt19937 random(1);
    for (unsigned round = 0; round < 300; ++round) {
        AddressDisguise disguise("salt" + std::to_string(round % 10));
        const IpAddress one = neighbourOf(ip(GetParam()), random);
        const IpAddress two = neighbourOf(one, random);
        EXPECT_EQ(sharedBits(disguise.of(one), disguise.of(two)), sharedBits(one, two))
            << one.text() << " " << two.text();
    }
}

INSTANTIATE_TEST_SUITE_P(Networks,
                         Disguised,
                         ::testing::Values("10.0.1.2",
                                           "192.168.7.9",
                                           "172.16.0.1",
                                           "203.0.113.5",
                                           "2001:db8:1:2::77",
                                           "fd00:1:2:3::9"));

TEST(AddressDisguise, kinds_of_addresses_stay_what_they_are) {
    for (unsigned round = 0; round < 50; ++round) {
        AddressDisguise disguise(std::to_string(round));
        EXPECT_TRUE(disguise.of(ip("10.1.2.3")).sharesPrefix(ip("10.0.0.0"), 8));
        EXPECT_TRUE(disguise.of(ip("172.20.2.3")).sharesPrefix(ip("172.16.0.0"), 12));
        EXPECT_TRUE(disguise.of(ip("192.168.2.3")).sharesPrefix(ip("192.168.0.0"), 16));
        EXPECT_TRUE(disguise.of(ip("169.254.2.3")).isLinkLocal());
        EXPECT_TRUE(disguise.of(ip("fe80::1:2")).isLinkLocal());
        EXPECT_TRUE(disguise.of(ip("fd12:3::1")).sharesPrefix(ip("fd00::"), 8));
        for (const char* const other : {"8.8.8.8", "193.99.144.80", "100.128.0.1"}) {
            const IpAddress told = disguise.of(ip(other));
            EXPECT_FALSE(told.isMulticast() || told.isLinkLocal()) << told.text();
            EXPECT_FALSE(told.sharesPrefix(ip("10.0.0.0"), 8)) << told.text();
            EXPECT_FALSE(told.sharesPrefix(ip("127.0.0.0"), 8)) << told.text();
        }
        for (const char* const same : {"0.0.0.0",
                                       "127.0.0.1",
                                       "224.0.0.251",
                                       "255.255.255.0",
                                       "::",
                                       "::1",
                                       "ff02::1"}) {
            EXPECT_EQ(disguise.of(ip(same)), ip(same)) << same;
        }
    }
}

TEST(AddressDisguise, a_gid_holds_the_address_that_the_interface_has) {
    AddressDisguise disguise("s");
    const IpAddress plain = disguise.of(ip("10.0.1.2"));
    const IpAddress mapped = disguise.of(ip("::ffff:10.0.1.2"));
    EXPECT_EQ(mapped, ip("::ffff:" + plain.text()));
}

TEST(AddressDisguise, an_address_made_of_a_mac_is_made_of_the_other_mac) {
    AddressDisguise disguise("s");
    const MacAddress other = disguise.of(mac("b8:ce:f6:12:34:56"));
    EXPECT_NE(other, mac("b8:ce:f6:12:34:56"));
    const auto& octets = other.octets;
    EXPECT_EQ(octets[0], 0xB8);  // the vendor
    EXPECT_EQ(octets[2], 0xF6);
    const auto made = disguise.of(ip("fe80::bace:f6ff:fe12:3456")).octets;
    EXPECT_EQ(made[8], octets[0] ^ 2U);
    EXPECT_EQ(made[11], 0xFF);
    EXPECT_TRUE(std::equal(made.begin() + 13, made.end(), octets.begin() + 3));
    const Guid guid = disguise.of(Guid{0xB8, 0xCE, 0xF6, 0x03, 0x00, 0x12, 0x34, 0x56});
    EXPECT_EQ(guid[0], octets[0]);
    EXPECT_EQ(guid[3], 0x03);
    EXPECT_TRUE(std::equal(guid.begin() + 5, guid.end(), octets.begin() + 3));
}

TEST(AddressDisguise,
     multicast_and_empty_macs_stay_and_locally_made_ones_keep_their_bit) {
    AddressDisguise disguise("s");
    for (const char* const same : {"ff:ff:ff:ff:ff:ff",
                                   "00:00:00:00:00:00",
                                   "01:00:5e:00:00:fb",
                                   "33:33:00:00:00:01",
                                   "01:80:c2:00:00:0e"}) {
        EXPECT_EQ(disguise.of(mac(same)), mac(same)) << same;
    }
    EXPECT_EQ(disguise.of(mac("0a:58:0a:01:02:03")).octets[0], 0x0A);
    EXPECT_NE(disguise.of(mac("0a:58:0a:01:02:03")).octets[1], 0x58);
    const auto solicited = disguise.of(ip("ff02::1:ff12:3456")).octets;
    const auto group = disguise.of(mac("33:33:ff:12:34:56")).octets;
    EXPECT_TRUE(std::equal(group.begin() + 3, group.end(), solicited.begin() + 13));
}

TEST(AddressDisguise, no_two_macs_of_a_vendor_become_one) {
    AddressDisguise disguise("s");
    std::set<MacAddress> others;
    for (unsigned number = 0; number < 5000; ++number) {
        others.insert(disguise.of(MacAddress{{0xB8,
                                              0xCE,
                                              0xF6,
                                              0,
                                              static_cast<std::uint8_t>(number >> 8U),
                                              static_cast<std::uint8_t>(number)}}));
    }
    EXPECT_EQ(others.size(), 5000U);
}

TEST(AddressDisguise, another_salt_gives_another_answer) {
    std::set<IpAddress> others;
    for (unsigned salt = 0; salt < 50; ++salt) {
        AddressDisguise one(std::to_string(salt));
        AddressDisguise again(std::to_string(salt));
        EXPECT_EQ(one.of(ip("10.1.2.3")), again.of(ip("10.1.2.3")));
        others.insert(one.of(ip("10.1.2.3")));
    }
    EXPECT_GT(others.size(), 40U);
}

}  // namespace
}  // namespace fabric::facts
