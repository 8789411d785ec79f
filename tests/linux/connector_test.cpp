// SPDX-License-Identifier: Apache-2.0
#include "linux/connector.hpp"

#include "base/unique_fd.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <string>
#include <vector>

namespace fabric::linux_host {
namespace {

using namespace std::chrono_literals;
using ::testing::SizeIs;

constexpr IpAddress kLoopback = IpAddress::v4(127, 0, 0, 1);

// A socket that listens on the loopback interface.
class Listener {
  public:
    explicit Listener(int backlog)
        : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), length), 0);
        EXPECT_EQ(
            ::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&address), &length),
            0);
        port_ = ntohs(address.sin_port);
        if (backlog >= 0) {
            EXPECT_EQ(::listen(fd_.get(), backlog), 0);
        }
    }

    [[nodiscard]] host::Connection way() const {
        return {.from = kLoopback,
                .via = IfIndex{::if_nametoindex("lo")},
                .to = kLoopback,
                .port = port_};
    }

    [[nodiscard]] int fd() const { return fd_.get(); }

  private:
    UniqueFd fd_;
    std::uint16_t port_ = 0;
};

Result<std::chrono::microseconds> connectTo(const host::Connection& way,
                                            std::chrono::milliseconds limit = 20s) {
    TcpConnector connector;
    auto outcomes = connector.connect(std::vector{way}, limit);
    EXPECT_THAT(outcomes, SizeIs(1));
    return outcomes.at(0);
}

TEST(TcpConnector, a_port_that_listens_is_open) {
    const Listener peer(8);
    const auto outcome = connectTo(peer.way());
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_GE(outcome->count(), 0);
}

TEST(TcpConnector, a_port_where_nobody_listens_is_refused) {
    const Listener bound(-1);
    const auto outcome = connectTo(bound.way());
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().kind, ErrorKind::refused);
    EXPECT_EQ(outcome.error().sysErrno, ECONNREFUSED);
}

// With its queue full a socket lets requests for a connection go by.
TEST(TcpConnector, a_peer_that_does_not_answer_ends_with_the_time_for_all_of_them) {
    const Listener silent(0);
    std::vector<host::Connection> many(3, silent.way());
    std::vector<UniqueFd> queued;
    for (int count = 0; count < 4; ++count) {
        queued.emplace_back(
            ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(silent.way().port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        static_cast<void>(::connect(queued.back().get(),
                                    reinterpret_cast<const sockaddr*>(&address),
                                    sizeof address));
    }
    const auto begin = std::chrono::steady_clock::now();
    TcpConnector connector;
    const auto outcomes = connector.connect(many, 200ms);
    const auto took = std::chrono::steady_clock::now() - begin;
    ASSERT_THAT(outcomes, SizeIs(3));
    for (const auto& outcome : outcomes) {
        ASSERT_FALSE(outcome);
        EXPECT_EQ(outcome.error().kind, ErrorKind::timeout);
    }
    EXPECT_GE(took, 200ms);
    EXPECT_LT(took, 600ms * 10);
}

TEST(TcpConnector, an_address_that_is_not_ours_is_told_as_that) {
    const Listener peer(8);
    host::Connection foreign = peer.way();
    foreign.from = IpAddress::v4(192, 0, 2, 77);
    EXPECT_EQ(connectTo(foreign).error().sysErrno, EADDRNOTAVAIL);
}

TEST(TcpConnector, an_interface_that_is_not_there_is_told_as_that) {
    const Listener peer(8);
    host::Connection gone = peer.way();
    gone.via = IfIndex{424242};
    EXPECT_EQ(connectTo(gone).error().sysErrno, ENODEV);
}

TEST(TcpConnector, six_works_like_four) {
    host::Connection way{.from = *IpAddress::parse("::1"),
                         .via = {},
                         .to = *IpAddress::parse("::1"),
                         .port = 1};
    const auto outcome = connectTo(way);
    ASSERT_FALSE(outcome);
    if (outcome.error().sysErrno == EAFNOSUPPORT ||
        outcome.error().sysErrno == EADDRNOTAVAIL) {
        GTEST_SKIP() << "no IPv6 here: " << outcome.error().message();
    }
    EXPECT_EQ(outcome.error().kind, ErrorKind::refused);
}

TEST(TcpConnector, more_than_one_wave_are_all_answered_in_their_order) {
    const Listener open(1024);
    const Listener closed(-1);
    std::vector<host::Connection> many(600, open.way());
    many[599] = closed.way();
    many[0] = closed.way();
    TcpConnector connector;
    const auto outcomes = connector.connect(many, 20s);
    ASSERT_THAT(outcomes, SizeIs(600));
    for (std::size_t at = 0; at < outcomes.size(); ++at) {
        EXPECT_EQ(outcomes[at].has_value(), at != 0 && at != 599) << at;
    }
    EXPECT_THAT(connector.connect({}, 1s), SizeIs(0));
}

}  // namespace
}  // namespace fabric::linux_host
