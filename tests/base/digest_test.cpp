// SPDX-License-Identifier: Apache-2.0
#include "base/digest.hpp"

#include <gtest/gtest.h>

namespace fabric {
namespace {

// The examples of FIPS 180-2, appendix B, and the empty message.
TEST(Sha256, gives_the_standards_examples) {
    EXPECT_EQ(sha256("abc"),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(""),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, a_nul_is_a_byte_like_any_other) {
    using namespace std::string_view_literals;
    EXPECT_NE(sha256("a\0b"sv), sha256("a"));
}

}  // namespace
}  // namespace fabric
