// SPDX-License-Identifier: Apache-2.0
#include "linux/netlink_channel.hpp"

#include "linux/netlink_peer.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <thread>

namespace fabric::linux_host {
namespace {

using namespace testing;
using namespace std::chrono_literals;

constexpr std::uint16_t kType = 79;
constexpr auto kShort = 30ms;

NetlinkRequest request() {
    return {.type = kType, .flags = 0, .payload = bytesOf("ask.")};
}

TEST(NetlinkChannel, D03_a_leftover_acknowledgement_is_not_the_next_answer) {
    NetlinkPeer peer({{message(kType, 1, bytesOf("one.")),
                       errorMessage(1, 0),
                       message(kType, 2, bytesOf("two."))}});
    NetlinkChannel channel(peer.opener(), kShort);
    EXPECT_EQ(channel.ask(request(), kType).value(), bytesOf("one."));
    EXPECT_EQ(channel.ask(request(), kType).value(), bytesOf("two."));
    EXPECT_EQ(peer.openings(), 1U);
}

TEST(NetlinkChannel, D03_a_leftover_acknowledgement_does_not_hide_a_refusal) {
    NetlinkPeer peer({{message(kType, 1, bytesOf("one.")),
                       errorMessage(1, 0),
                       errorMessage(2, -EBUSY)}});
    NetlinkChannel channel(peer.opener(), kShort);
    EXPECT_TRUE(channel.ask(request(), kType));
    EXPECT_EQ(channel.ask(request(), kType).error().sysErrno, EBUSY);
}

TEST(NetlinkChannel, D03_a_request_with_an_answer_asks_for_no_acknowledgement) {
    NetlinkPeer peer({{message(kType, 1, bytesOf("one."))}});
    NetlinkChannel channel(peer.opener(), kShort);
    EXPECT_TRUE(channel.ask(request(), kType));
    const auto sent = peer.takeRequests();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(valueAt<nlmsghdr>(sent[0])->nlmsg_flags, NLM_F_REQUEST);
}

TEST(NetlinkChannel, D03_an_acknowledgement_alone_is_no_answer) {
    NetlinkPeer peer({{errorMessage(1, 0)}});
    NetlinkChannel channel(peer.opener(), kShort);
    EXPECT_EQ(channel.ask(request(), kType).error().kind, ErrorKind::malformed);
}

TEST(NetlinkChannel, D03_an_answer_of_another_type_is_malformed) {
    NetlinkPeer peer({{message(kType + 1, 1, bytesOf("one."))}});
    NetlinkChannel channel(peer.opener(), kShort);
    EXPECT_EQ(channel.ask(request(), kType).error().kind, ErrorKind::malformed);
}

TEST(NetlinkChannel, silence_is_a_timeout_and_the_late_answer_is_never_read) {
    NetlinkPeer peer({{}, {message(kType, 2, bytesOf("two."))}});
    NetlinkChannel channel(peer.opener(), kShort);
    EXPECT_EQ(channel.ask(request(), kType).error().kind, ErrorKind::timeout);
    EXPECT_EQ(channel.ask(request(), kType).value(), bytesOf("two."));
    EXPECT_EQ(peer.openings(), 2U);
}

TEST(NetlinkChannel, broken_bytes_are_an_error_and_the_next_request_starts_afresh) {
    const std::vector<Bytes> broken{Bytes{},
                                    bytesOf("short"),
                                    message(kType, 9, bytesOf("foreign sequence")),
                                    message(kType, 1, {}, 0, kPort + 1),
                                    Bytes(70000, std::byte{0x41})};
    for (const Bytes& datagram : broken) {
        NetlinkPeer peer({{datagram}, {message(kType, 2, bytesOf("two."))}});
        NetlinkChannel channel(peer.opener(), kShort);
        EXPECT_EQ(channel.ask(request(), kType).error().kind, ErrorKind::malformed);
        EXPECT_EQ(channel.ask(request(), kType).value(), bytesOf("two."));
    }
}

TEST(NetlinkChannel, a_refusal_keeps_the_socket) {
    NetlinkPeer peer(
        {{errorMessage(1, -EOPNOTSUPP), message(kType, 2, bytesOf("two."))}});
    NetlinkChannel channel(peer.opener(), kShort);
    EXPECT_EQ(channel.ask(request(), kType).error().kind, ErrorKind::unsupported);
    EXPECT_TRUE(channel.ask(request(), kType));
    EXPECT_EQ(peer.openings(), 1U);
}

TEST(NetlinkChannel, a_peer_that_never_stops_talking_is_a_timeout) {
    NetlinkPeer peer(std::vector<NetlinkPeer::Script>{});
    std::jthread talker;
    NetlinkChannel channel(
        [&] {
            auto socket = peer.opener()();
            talker = std::jthread([fd = peer.end()](const std::stop_token& stop) {
                const Bytes old = errorMessage(0, 0);
                while (!stop.stop_requested()) {
                    ::send(fd, old.data(), old.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
                }
            });
            return socket;
        },
        kShort);
    EXPECT_EQ(channel.ask(request(), kType).error().kind, ErrorKind::timeout);
}

TEST(NetlinkChannel, a_failed_opening_is_reported) {
    NetlinkChannel channel([]() -> Result<NetlinkSocket> {
        return fail(systemError("open netlink socket", {}, EPROTONOSUPPORT));
    });
    EXPECT_EQ(channel.ask(request(), kType).error().sysErrno, EPROTONOSUPPORT);
}

TEST(NetlinkChannel, a_command_wants_its_own_acknowledgement) {
    NetlinkPeer peer({{errorMessage(1, 0),
                       errorMessage(2, -EPERM),
                       message(kType, 3, bytesOf("what"))}});
    NetlinkChannel channel(peer.opener(), kShort);
    EXPECT_TRUE(channel.command(request()));
    EXPECT_EQ(channel.command(request()).error().kind, ErrorKind::permission);
    EXPECT_EQ(channel.command(request()).error().kind, ErrorKind::malformed);
}

TEST(NetlinkChannel, an_interrupted_dump_is_read_again) {
    NetlinkPeer peer({{message(16, 1, bytesOf("old."), NLM_F_MULTI),
                       doneMessage(1, 0, NLM_F_DUMP_INTR),
                       message(16, 2, bytesOf("new."), NLM_F_MULTI),
                       doneMessage(2)}});
    NetlinkChannel channel(peer.opener(), kShort);
    EXPECT_EQ(channel.dump(request()).value(), std::vector<Bytes>{bytesOf("new.")});
    EXPECT_EQ(peer.takeRequests().size(), 2U);
}

TEST(NetlinkChannel, a_dump_that_is_always_interrupted_ends) {
    NetlinkPeer::Script script;
    for (std::uint32_t sequence = 1; sequence <= 9; ++sequence) {
        script.push_back(doneMessage(sequence, 0, NLM_F_DUMP_INTR));
    }
    NetlinkPeer peer(std::vector<NetlinkPeer::Script>{script});
    NetlinkChannel channel(peer.opener(), kShort);
    EXPECT_EQ(channel.dump(request()).error().kind, ErrorKind::busy);
    EXPECT_EQ(peer.takeRequests().size(), 8U);
}

TEST(NetlinkChannel, a_dump_without_an_end_is_a_timeout) {
    NetlinkPeer peer({{message(16, 1, bytesOf("part"), NLM_F_MULTI)}});
    NetlinkChannel channel(peer.opener(), 5ms);
    EXPECT_EQ(channel.dump(request()).error().kind, ErrorKind::timeout);
}

}  // namespace
}  // namespace fabric::linux_host
