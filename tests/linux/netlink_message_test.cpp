// SPDX-License-Identifier: Apache-2.0
#include "linux/netlink_message.hpp"

#include "linux/netlink_peer.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <limits>

namespace fabric::linux_host {
namespace {

using namespace testing;

constexpr std::uint16_t kType = 79;
constexpr NetlinkIdentity kMine{.sequence = 100, .portId = kPort};

TEST(NetlinkMessage, a_request_carries_length_sequence_and_port) {
    const Bytes sent =
        encode({.type = kType, .flags = 0, .payload = bytesOf("abcd")}, kMine);
    const auto header = valueAt<nlmsghdr>(sent).value();
    EXPECT_EQ(header.nlmsg_len, 20U);
    EXPECT_EQ(header.nlmsg_type, kType);
    EXPECT_EQ(header.nlmsg_flags, NLM_F_REQUEST);
    EXPECT_EQ(header.nlmsg_seq, 100U);
    EXPECT_EQ(header.nlmsg_pid, kPort);
    EXPECT_EQ(ByteView(sent).subspan(16).size(), 4U);
}

TEST(NetlinkMessage, the_answer_to_this_request_is_taken) {
    const Bytes datagram = message(kType, 100, bytesOf("answer"));
    const Reply reply = readReply(datagram, kMine).value();
    EXPECT_EQ(reply.kind, ReplyKind::answer);
    EXPECT_EQ(reply.type, kType);
    EXPECT_EQ(Bytes(reply.payload.begin(), reply.payload.end()), bytesOf("answer"));
}

TEST(NetlinkMessage, D03_an_acknowledgement_of_an_earlier_request_is_stale) {
    const Bytes datagram = errorMessage(99, 0);
    EXPECT_EQ(readReply(datagram, kMine)->kind, ReplyKind::stale);
}

TEST(NetlinkMessage, D03_sequence_numbers_may_wrap) {
    const Bytes datagram = errorMessage(0xFFFFFFFF, 0);
    const NetlinkIdentity wrapped{.sequence = 2, .portId = kPort};
    EXPECT_EQ(readReply(datagram, wrapped)->kind, ReplyKind::stale);
}

TEST(NetlinkMessage, D03_a_sequence_that_was_never_sent_is_malformed) {
    const Bytes datagram = message(kType, 101, bytesOf("answer"));
    EXPECT_EQ(readReply(datagram, kMine).error().kind, ErrorKind::malformed);
}

TEST(NetlinkMessage, an_answer_to_another_port_is_malformed) {
    const Bytes datagram = message(kType, 100, bytesOf("answer"), 0, kPort + 1);
    EXPECT_EQ(readReply(datagram, kMine).error().kind, ErrorKind::malformed);
}

TEST(NetlinkMessage, several_messages_where_one_was_expected_are_malformed) {
    Bytes datagram = message(kType, 100, bytesOf("1234"));
    appendBytes(datagram, message(kType, 100, bytesOf("5678")));
    EXPECT_EQ(readReply(datagram, kMine).error().kind, ErrorKind::malformed);
}

TEST(NetlinkMessage, control_messages_are_no_answer) {
    for (const auto type :
         std::to_array<std::uint16_t>({NLMSG_NOOP, NLMSG_DONE, NLMSG_OVERRUN})) {
        const Bytes datagram = message(type, 100, bytesOf("0000"));
        EXPECT_EQ(readReply(datagram, kMine).error().kind, ErrorKind::malformed)
            << type;
    }
}

TEST(NetlinkMessage, a_refusal_carries_errno_and_the_kernels_words) {
    const Bytes datagram =
        errorMessage(100, -EINVAL, "mtu greater than device maximum");
    const Reply reply = readReply(datagram, kMine).value();
    EXPECT_EQ(reply.kind, ReplyKind::refused);
    EXPECT_EQ(reply.refusal.sysErrno, EINVAL);
    EXPECT_EQ(reply.refusal.kind, ErrorKind::refused);
    EXPECT_EQ(reply.refusal.detail, "mtu greater than device maximum");
}

TEST(NetlinkMessage, the_kernels_words_are_made_safe_to_print) {
    const Bytes datagram = errorMessage(100, -EPERM, "\x1b[31mno");
    EXPECT_EQ(readReply(datagram, kMine)->refusal.detail, "\\x1b[31mno");
}

TEST(NetlinkMessage, an_error_whose_text_is_cut_off_still_says_its_errno) {
    Bytes datagram = errorMessage(100, -ENODEV, "a text that is cut off");
    const auto cut = static_cast<std::uint32_t>(datagram.size() - 10);
    datagram.resize(cut);
    std::memcpy(datagram.data(), &cut, sizeof cut);
    const Reply reply = readReply(datagram, kMine).value();
    EXPECT_EQ(reply.refusal.sysErrno, ENODEV);
    EXPECT_EQ(reply.refusal.detail, "");
}

TEST(NetlinkMessage, an_error_with_a_positive_code_or_none_is_malformed) {
    EXPECT_EQ(readReply(errorMessage(100, 5), kMine).error().kind,
              ErrorKind::malformed);
    EXPECT_EQ(readReply(message(NLMSG_ERROR, 100, {}), kMine).error().kind,
              ErrorKind::malformed);
}

TEST(NetlinkMessage, an_error_code_that_has_no_errno_is_malformed) {
    for (const int code : {std::numeric_limits<int>::min(), -4096}) {
        EXPECT_EQ(readReply(errorMessage(100, code), kMine).error().kind,
                  ErrorKind::malformed)
            << code;
    }
    EXPECT_EQ(readReply(errorMessage(100, -4095), kMine)->kind, ReplyKind::refused);
}

TEST(NetlinkMessage, every_cut_of_an_answer_is_malformed) {
    const Bytes whole = message(kType, 100, bytesOf("sixteen bytes..."));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto reply = readReply(ByteView(whole).first(length), kMine);
        ASSERT_FALSE(reply.has_value()) << length;
        EXPECT_EQ(reply.error().kind, ErrorKind::malformed) << length;
    }
}

TEST(NetlinkMessage, no_damaged_header_byte_yields_this_answer_under_another_identity) {
    const Bytes whole = message(kType, 100, bytesOf("payload."));
    for (std::size_t at = 8; at < 16; ++at) {  // sequence and port
        for (unsigned value = 0; value < 256; ++value) {
            Bytes damaged = whole;
            damaged[at] = static_cast<std::byte>(value);
            const auto reply = readReply(damaged, kMine);
            EXPECT_EQ(reply.has_value() && reply->kind == ReplyKind::answer,
                      damaged == whole);
        }
    }
}

TEST(DumpCollector, parts_of_several_datagrams_are_put_together) {
    DumpCollector dump(kMine);
    Bytes first = message(16, 100, bytesOf("1111"), NLM_F_MULTI);
    appendBytes(first, message(16, 100, bytesOf("2222"), NLM_F_MULTI));
    EXPECT_FALSE(dump.add(first).value());
    EXPECT_TRUE(dump.add(doneMessage(100)).value());
    EXPECT_FALSE(dump.interrupted());
    EXPECT_EQ(dump.takeParts(), (std::vector<Bytes>{bytesOf("1111"), bytesOf("2222")}));
}

TEST(DumpCollector, an_interruption_told_on_any_message_counts) {
    DumpCollector onPart(kMine);
    EXPECT_FALSE(
        onPart.add(message(16, 100, bytesOf("1111"), NLM_F_MULTI | NLM_F_DUMP_INTR))
            .value());
    EXPECT_TRUE(onPart.interrupted());
    DumpCollector onDone(kMine);
    EXPECT_TRUE(onDone.add(doneMessage(100, 0, NLM_F_DUMP_INTR)).value());
    EXPECT_TRUE(onDone.interrupted());
}

TEST(DumpCollector, a_refusal_ends_the_dump) {
    DumpCollector byError(kMine);
    EXPECT_TRUE(byError.add(errorMessage(100, -EOPNOTSUPP)).value());
    EXPECT_EQ(byError.refusal()->kind, ErrorKind::unsupported);
    DumpCollector byDone(kMine);
    EXPECT_TRUE(byDone.add(doneMessage(100, -ENOMEM)).value());
    EXPECT_EQ(byDone.refusal()->sysErrno, ENOMEM);
}

TEST(DumpCollector, an_end_with_a_code_that_is_no_errno_is_malformed_and_no_success) {
    for (const int code :
         {1, std::numeric_limits<int>::max(), -4096, std::numeric_limits<int>::min()}) {
        DumpCollector collector(kMine);
        EXPECT_EQ(collector.add(errorMessage(100, code)).error().kind,
                  ErrorKind::malformed)
            << code;
    }
}

TEST(DumpCollector, a_stale_end_does_not_end_this_dump_and_strangers_are_malformed) {
    DumpCollector dump(kMine);
    EXPECT_FALSE(dump.add(doneMessage(99)).value());
    EXPECT_EQ(dump.add(doneMessage(102)).error().kind, ErrorKind::malformed);
    EXPECT_EQ(dump.add(errorMessage(100, 0)).error().kind, ErrorKind::malformed);
}

}  // namespace
}  // namespace fabric::linux_host
