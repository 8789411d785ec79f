// SPDX-License-Identifier: Apache-2.0
#include "linux/rtnl_links.hpp"

#include "linux/dcb_channel.hpp"
#include "linux/dcb_writer.hpp"
#include "linux/link_writer.hpp"
#include "linux/network_namespace.hpp"
#include "linux/posix_files.hpp"

#include <gtest/gtest.h>

#include <linux/if_addr.h>
#include <linux/nexthop.h>

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

namespace fabric::linux_host {
namespace {

using namespace std::chrono_literals;

NetlinkSocket::Deadline soon() {
    return std::chrono::steady_clock::now() + 5s;
}

class RtnlLinksTest : public testing::NetworkNamespaceTest {
  protected:
    void addAddress(IfIndex link, std::array<std::uint8_t, 4> address) {
        NetlinkRequest request{.type = RTM_NEWADDR, .flags = NLM_F_CREATE};
        appendValue(
            request.payload,
            ifaddrmsg{
                .ifa_family = AF_INET, .ifa_prefixlen = 24, .ifa_index = link.number});
        appendAttribute(request.payload, IFA_LOCAL, address);
        command(std::move(request));
    }

    // A default route in this table by whatever `hop` says.
    void addRoute(unsigned char table, const std::vector<std::byte>& hop) {
        NetlinkRequest request{.type = RTM_NEWROUTE, .flags = NLM_F_CREATE};
        appendValue(request.payload,
                    rtmsg{.rtm_family = AF_INET,
                          .rtm_table = table,
                          .rtm_protocol = RTPROT_STATIC,
                          .rtm_scope = RT_SCOPE_UNIVERSE,
                          .rtm_type = RTN_UNICAST});
        appendBytes(request.payload, hop);
        command(std::move(request));
    }

    static bool hears(host::LinkWatch& watch, IfIndex link, bool carrier) {
        const auto deadline = soon();
        while (true) {
            const auto heard = watch.next(deadline);
            if (!heard || !*heard) {
                return false;
            }
            if ((*heard)->index == link && (*heard)->carrier == carrier) {
                return true;
            }
        }
    }

    void command(NetlinkRequest request) {
        const auto done = netlink_.command(std::move(request));
        ASSERT_TRUE(done.has_value()) << done.error().message();
    }

    RtnlLinkWriter writer_{netlink_};
};

TEST_F(RtnlLinksTest, a_new_namespace_has_loopback_and_what_is_added) {
    addVeth("rail0", "sw0");
    const auto all = links_.links().value();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_TRUE(std::ranges::is_sorted(all, {}, &host::Link::index));
    EXPECT_EQ(all[0].name, "lo");
    const host::Link rail = links_.link(index("rail0")).value();
    EXPECT_EQ(rail.name, "rail0");
    EXPECT_EQ(rail.kind, "veth");
    EXPECT_EQ(rail.mtu, 1500U);
    EXPECT_TRUE(rail.adminUp);
    EXPECT_TRUE(rail.carrier);
    EXPECT_TRUE(rail.mac.has_value());
    EXPECT_EQ(rail.lower, index("sw0"));
    EXPECT_EQ(rail.parentDevice, "");
}

TEST_F(RtnlLinksTest, a_link_that_does_not_exist_is_not_found) {
    EXPECT_EQ(links_.link(IfIndex{4242}).error().kind, ErrorKind::notFound);
}

TEST_F(RtnlLinksTest, mtu_is_set_by_index_and_a_refusal_says_why) {
    addVeth("rail0", "sw0");
    const IfIndex rail = index("rail0");
    EXPECT_TRUE(writer_.setMtu(rail, 9000));
    EXPECT_EQ(links_.link(rail)->mtu, 9000U);
    const auto refused = writer_.setMtu(rail, 1'000'000);
    EXPECT_EQ(refused.error().sysErrno, EINVAL);
    EXPECT_EQ(refused.error().kind, ErrorKind::refused);
    EXPECT_EQ(refused.error().detail, "mtu greater than device maximum");
    EXPECT_EQ(writer_.setMtu(IfIndex{4242}, 1500).error().kind, ErrorKind::notFound);
}

TEST_F(RtnlLinksTest, many_links_come_in_several_datagrams) {
    constexpr int kPairs = 60;
    for (int pair = 0; pair < kPairs; ++pair) {
        addVeth("a" + std::to_string(pair), "b" + std::to_string(pair));
    }
    EXPECT_EQ(links_.links()->size(), 2U * kPairs + 1U);
}

TEST_F(RtnlLinksTest, addresses_are_listed_with_their_link) {
    addVeth("rail0", "sw0");
    addAddress(index("rail0"), {10, 0, 0, 1});
    const auto all = links_.addresses().value();
    const auto found = std::ranges::find_if(
        all, [](const host::LinkAddress& address) { return !address.ipv6; });
    ASSERT_NE(found, all.end());
    EXPECT_EQ(found->link, index("rail0"));
    EXPECT_EQ(found->prefixLength, 24);
    EXPECT_EQ(found->octets[3], 1);
}

TEST_F(RtnlLinksTest, H14_no_default_route_means_no_link) {
    addVeth("rail0", "sw0");
    addAddress(index("rail0"), {10, 0, 0, 1});
    EXPECT_TRUE(links_.defaultRouteLinks()->empty());
}

TEST_F(RtnlLinksTest, H14_default_routes_of_every_table_and_hop_are_found) {
    addVeth("rail0", "sw0");
    addVeth("rail1", "sw1");
    addVeth("rail2", "sw2");
    std::vector<std::byte> single;
    appendAttribute(single, RTA_OIF, index("rail0").number);
    addRoute(100, single);
    std::vector<std::byte> hops;
    for (const char* name : {"rail1", "rail2"}) {
        appendValue(hops,
                    rtnexthop{.rtnh_len = sizeof(rtnexthop),
                              .rtnh_ifindex = static_cast<int>(index(name).number)});
    }
    std::vector<std::byte> multipath;
    appendAttribute(multipath, RTA_MULTIPATH, ByteView(hops));
    addRoute(RT_TABLE_MAIN, multipath);
    EXPECT_EQ(links_.defaultRouteLinks().value(),
              (std::vector<IfIndex>{index("rail0"), index("rail1"), index("rail2")}));
}

TEST_F(RtnlLinksTest, H14_a_nexthop_object_is_asked_for_its_link) {
    addVeth("rail0", "sw0");
    NetlinkRequest nexthop{.type = RTM_NEWNEXTHOP, .flags = NLM_F_CREATE};
    appendValue(nexthop.payload, nhmsg{.nh_family = AF_INET});
    appendAttribute(nexthop.payload, NHA_ID, std::uint32_t{7});
    appendAttribute(nexthop.payload, NHA_OIF, index("rail0").number);
    command(std::move(nexthop));
    std::vector<std::byte> hop;
    appendAttribute(hop, RTA_NH_ID, std::uint32_t{7});
    addRoute(RT_TABLE_MAIN, hop);
    EXPECT_EQ(links_.defaultRouteLinks().value(), std::vector<IfIndex>{index("rail0")});
}

TEST_F(RtnlLinksTest, a_watch_hears_the_carrier_go_and_come) {
    addVeth("rail0", "sw0");
    const IfIndex rail = index("rail0");
    const auto watch = links_.watch().value();
    // One after the other: the kernel melts changes that follow at once into one event
    // (net/core/link_watch.c).
    for (const bool carrier : {false, true}) {
        setUp("sw0", carrier);
        EXPECT_TRUE(hears(*watch, rail, carrier)) << carrier;
    }
    EXPECT_GE(links_.link(rail)->carrierDownCount, 1U);
}

TEST_F(RtnlLinksTest, a_watch_ends_at_its_deadline) {
    const auto watch = links_.watch().value();
    EXPECT_FALSE(watch->next(std::chrono::steady_clock::now() + 10ms)->has_value());
}

TEST_F(RtnlLinksTest, a_signal_that_is_held_back_ends_the_watch) {
    struct sigaction ignored{};
    struct sigaction before{};
    ignored.sa_handler = [](int) {};
    ASSERT_EQ(::sigaction(SIGUSR1, &ignored, &before), 0);
    sigset_t held;
    sigset_t old;
    sigemptyset(&held);
    sigaddset(&held, SIGUSR1);
    ASSERT_EQ(::sigprocmask(SIG_BLOCK, &held, &old), 0);
    const auto watch = links_.watch().value();
    ASSERT_EQ(::raise(SIGUSR1), 0);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(watch->next(start + 10min)->has_value());
    EXPECT_LT(std::chrono::steady_clock::now(), start + 5min);
    ::sigprocmask(SIG_SETMASK, &old, nullptr);
    ::sigaction(SIGUSR1, &before, nullptr);
}

TEST_F(RtnlLinksTest, an_overrun_of_the_watch_is_busy) {
    addVeth("rail0", "sw0");
    UniqueFd fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    const sockaddr_nl anyPort{.nl_family = AF_NETLINK};
    ASSERT_EQ(
        ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&anyPort), sizeof anyPort),
        0);
    const int small = 1;
    ASSERT_EQ(::setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    NetlinkSocket socket = NetlinkSocket::adopt(std::move(fd), 0);
    ASSERT_TRUE(socket.join(RTNLGRP_LINK));
    RtnlLinkWatch watch(std::move(socket));
    for (std::uint32_t mtu = 1400; mtu < 1440; ++mtu) {
        ASSERT_TRUE(writer_.setMtu(index("rail0"), mtu));
    }
    Result<std::optional<host::Link>> heard = watch.next(soon());
    while (heard && *heard) {
        heard = watch.next(std::chrono::steady_clock::now());
    }
    ASSERT_FALSE(heard.has_value());
    EXPECT_EQ(heard.error().kind, ErrorKind::busy);
    EXPECT_EQ(heard.error().sysErrno, ENOBUFS);
}

// The answers of the real kernel for a device without dcbnl operations.
TEST_F(RtnlLinksTest, D21_a_veth_has_no_dcb) {
    addVeth("rail0", "sw0");
    const InterfaceSocket names;
    const RootDirectory root;
    const PosixFiles files(root);
    const DcbChannel channel(netlink_, names, files);
    const host::DcbRequest request{.link = index("rail0")};
    EXPECT_EQ(RtnlDcbReader(channel).get(request).error().kind, ErrorKind::unsupported);
    EXPECT_EQ(RtnlDcbWriter(channel)
                  .set({.link = index("rail0"), .command = host::DcbCommand::ieeeSet})
                  .error()
                  .kind,
              ErrorKind::unsupported);
    // The conversation is still in step afterwards.
    EXPECT_EQ(links_.link(index("rail0"))->name, "rail0");
}

// In a process of its own: there is no way back from a user namespace.
TEST(UserNamespace, D20_the_real_kernel_refuses_and_the_advice_says_why) {
    constexpr int kNotPermitted = 77;
    const auto attempt = [] {
        if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) {
            std::_Exit(kNotPermitted);
        }
        NetlinkChannel netlink(kernelProtocol(NETLINK_ROUTE));
        const InterfaceSocket names;
        const RootDirectory root;
        const PosixFiles files(root);
        const DcbChannel channel(netlink, names, files);
        const auto done = RtnlDcbWriter(channel).set(
            {.link = IfIndex{1}, .command = host::DcbCommand::ieeeSet});
        const bool right = !done && done.error().sysErrno == EPERM &&
                           done.error().advice.contains(
                               "CAP_NET_ADMIN in the initial user namespace") &&
                           done.error().advice.contains("runs in a user namespace");
        std::_Exit(right ? 0 : 1);
    };
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        attempt();
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == kNotPermitted) {
        GTEST_SKIP() << "no user namespace of our own is permitted here";
    }
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(RtnlLinksTest, D18_names_follow_the_index_through_a_rename) {
    addVeth("rail0", "sw0");
    const IfIndex rail = index("rail0");
    const InterfaceSocket names;
    EXPECT_EQ(names.nameOf(rail).value(), "rail0");
    rename(rail, "ens1f0np0");
    EXPECT_EQ(names.nameOf(rail).value(), "ens1f0np0");
    EXPECT_EQ(names.nameOf(IfIndex{4242}).error().kind, ErrorKind::notFound);
}

}  // namespace
}  // namespace fabric::linux_host
