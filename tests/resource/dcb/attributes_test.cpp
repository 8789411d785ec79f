// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/attributes.hpp"

#include "bytes.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::dcb {
namespace {

TEST(DcbAttributes, masks_the_nested_and_byte_order_bits) {
    const auto bytes = attribute(0xc00d, bytesOf({1, 2, 3, 4}));
    const auto parsed = parseAttributes(bytes);
    ASSERT_TRUE(parsed.has_value());
    ASSERT_EQ(parsed->size(), 1U);
    EXPECT_EQ(parsed->front().type, 13);
    EXPECT_EQ(parsed->front().payload.size(), 4U);
}

TEST(DcbAttributes, a_length_of_zero_is_malformed_and_ends) {
    const auto parsed = parseAttributes(bytesOf({0, 0, 1, 0, 0, 0, 1, 0}));
    ASSERT_FALSE(parsed.has_value());
    EXPECT_EQ(parsed.error().kind, ErrorKind::malformed);
}

TEST(DcbAttributes, a_length_past_the_end_is_malformed) {
    const auto bytes = bytesOf({12, 0, 1, 0, 7, 7, 7, 7});
    const auto parsed = parseAttributes(bytes);
    ASSERT_FALSE(parsed.has_value());
    EXPECT_EQ(parsed.error().kind, ErrorKind::malformed);
}

TEST(DcbAttributes, left_over_bytes_are_malformed) {
    EXPECT_FALSE(parseAttributes(bytesOf({4, 0, 1, 0, 9})).has_value());
}

TEST(DcbAttributes, missing_padding_after_the_last_one_is_accepted) {
    const auto bytes = bytesOf({5, 0, 1, 0, 9});
    const auto parsed = parseAttributes(bytes);
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(parsed->front().payload.size(), 1U);
}

TEST(DcbAttributes, no_bytes_are_no_attributes) {
    const auto parsed = parseAttributes({});
    ASSERT_TRUE(parsed.has_value());
    EXPECT_TRUE(parsed->empty());
}

TEST(DcbAttributes, longer_structures_are_accepted_and_shorter_ones_are_not) {
    const auto longer = bytesOf({1, 0, 0, 0, 9, 9});
    const auto shorter = bytesOf({1, 0, 0});
    const Attribute fits{.type = 1, .payload = longer};
    const Attribute lacks{.type = 1, .payload = shorter};
    EXPECT_EQ(structureOf<std::uint32_t>(fits, "number"), 1U);
    const auto failed = structureOf<std::uint32_t>(lacks, "number");
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().kind, ErrorKind::malformed);
}

}  // namespace
}  // namespace fabric::resource::dcb
