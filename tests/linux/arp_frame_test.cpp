// SPDX-License-Identifier: Apache-2.0
#include "linux/arp_frame.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabric::linux_host {
namespace {

constexpr MacAddress kMac{{2, 0, 0, 0, 1, 1}};

std::vector<std::byte> bytesOf(std::initializer_list<int> values) {
    std::vector<std::byte> bytes;
    std::ranges::transform(values, std::back_inserter(bytes), [](int value) {
        return static_cast<std::byte>(value);
    });
    return bytes;
}

// RFC 826, field by field.
TEST(ArpFrame, a_gratuitous_request_is_what_the_rfc_says) {
    const IpAddress own = IpAddress::v4(10, 0, 1, 1);
    EXPECT_EQ(arpRequest(kMac, own, own),
              bytesOf({0, 1, 8, 0, 6, 4, 0,  1,        // Ethernet, IPv4, request
                       2, 0, 0, 0, 1, 1, 10, 0, 1, 1,  // sender
                       0, 0, 0, 0, 0, 0, 10, 0, 1, 1}));
}

TEST(ArpFrame, a_probe_has_no_sender_address) {
    const auto bytes = arpRequest(kMac, IpAddress{}, IpAddress::v4(10, 0, 1, 2));
    EXPECT_TRUE(std::all_of(bytes.begin() + 14, bytes.begin() + 18, [](std::byte byte) {
        return byte == std::byte{0};
    }));
}

TEST(ArpFrame, only_a_reply_is_an_answer) {
    auto reply = arpRequest(kMac, IpAddress::v4(10, 0, 1, 2), IpAddress{});
    EXPECT_FALSE(decodeArpReply(reply)) << "a request";
    reply[7] = std::byte{2};
    const auto answer = decodeArpReply(reply);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->mac, kMac);
    EXPECT_EQ(answer->ipv4, IpAddress::v4(10, 0, 1, 2));
    EXPECT_FALSE(decodeArpReply(ByteView(reply).first(27))) << "cut off";
    for (const std::size_t at : {1U, 2U, 4U, 5U}) {
        auto other = reply;
        other[at] = std::byte{9};
        EXPECT_FALSE(decodeArpReply(other)) << at;
    }
}

TEST(ArpFrame, a_frame_of_another_run_or_program_is_not_ours) {
    ProbeNonce nonce{};
    nonce[3] = std::byte{42};
    auto frame = probePayload(nonce, IfIndex{7});
    frame.resize(46);  // Ethernet pads
    EXPECT_EQ(decodeProbe(frame, nonce), IfIndex{7});
    EXPECT_FALSE(decodeProbe(frame, ProbeNonce{}));
    frame[0] = std::byte{'x'};
    EXPECT_FALSE(decodeProbe(frame, nonce));
    EXPECT_FALSE(decodeProbe(ByteView(frame).first(35), nonce));
}

}  // namespace
}  // namespace fabric::linux_host
