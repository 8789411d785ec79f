// SPDX-License-Identifier: Apache-2.0
#include "linux/netlink_attributes.hpp"

#include <gtest/gtest.h>

#include <array>

namespace fabric::linux_host {
namespace {

using Bytes = std::vector<std::byte>;

TEST(NetlinkAttributes, what_is_appended_is_found_again) {
    Bytes bytes;
    appendAttribute(bytes, 3, std::uint8_t{7});
    appendAttribute(bytes, 4, std::uint32_t{0x12345678});
    appendAttribute(bytes, 5, std::as_bytes(std::span("name", 5)));
    EXPECT_EQ(bytes.size(), 8U + 8U + 12U);
    const Attributes attributes = Attributes::parse(bytes).value();
    EXPECT_EQ(attributes.value<std::uint8_t>(3), 7);
    EXPECT_EQ(attributes.value<std::uint32_t>(4), 0x12345678U);
    EXPECT_EQ(attributes.text(5), "name");
    EXPECT_FALSE(attributes.find(6).has_value());
    EXPECT_FALSE(attributes.value<std::uint64_t>(4).has_value());
}

TEST(NetlinkAttributes, flag_bits_of_the_type_are_ignored_and_the_last_one_counts) {
    Bytes bytes;
    appendAttribute(bytes, 3, std::uint8_t{1});
    appendAttribute(bytes, 0x8003, std::uint8_t{2});
    EXPECT_EQ(Attributes::parse(bytes)->value<std::uint8_t>(3), 2);
}

TEST(NetlinkAttributes, text_without_its_terminating_zero_ends_with_the_attribute) {
    Bytes bytes;
    appendAttribute(bytes, 1, std::as_bytes(std::span("abcd", 4)));
    EXPECT_EQ(Attributes::parse(bytes)->text(1), "abcd");
}

TEST(NetlinkAttributes, lengths_that_lie_are_malformed) {
    for (const auto length : std::to_array<std::uint16_t>({0, 1, 3, 9, 0xFFFF})) {
        Bytes bytes;
        appendValue(bytes, length);
        appendValue(bytes, std::uint16_t{1});
        appendValue(bytes, std::uint32_t{0});
        const auto attributes = Attributes::parse(bytes);
        ASSERT_FALSE(attributes.has_value()) << length;
        EXPECT_EQ(attributes.error().kind, ErrorKind::malformed);
    }
}

TEST(NetlinkAttributes, unaligned_input_is_read_correctly) {
    Bytes bytes{std::byte{0}};
    Bytes attribute;
    appendAttribute(attribute, 2, std::uint32_t{99});
    appendBytes(bytes, attribute);
    EXPECT_EQ(Attributes::parse(ByteView(bytes).subspan(1))->value<std::uint32_t>(2),
              99U);
}

}  // namespace
}  // namespace fabric::linux_host
