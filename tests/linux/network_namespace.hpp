// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/netlink_channel.hpp"
#include "linux/rtnl_links.hpp"

#include <gtest/gtest.h>

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include <fcntl.h>
#include <sched.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

namespace fabric::linux_host::testing {

// The real kernel in a network namespace of the test's own. Skips, with the reason,
// where that is not permitted.
class NetworkNamespaceTest : public ::testing::Test {
  protected:
    void SetUp() override {
        before_ = UniqueFd(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
        if (::unshare(CLONE_NEWNET) != 0) {
            before_ = UniqueFd();
            GTEST_SKIP() << "no network namespace of our own: " << std::strerror(errno);
        }
    }

    void TearDown() override {
        if (before_.valid()) {
            ASSERT_EQ(::setns(before_.get(), CLONE_NEWNET), 0);
        }
    }

    static void addText(std::vector<std::byte>& bytes,
                        std::uint16_t type,
                        std::string_view text) {
        std::vector<std::byte> terminated;
        appendBytes(terminated, std::as_bytes(std::span(text.data(), text.size())));
        terminated.push_back(std::byte{0});
        appendAttribute(bytes, type, ByteView(terminated));
    }

    // A pair of veth devices, both up.
    void addVeth(std::string_view name, std::string_view peer) {
        std::vector<std::byte> peerInfo;
        appendValue(peerInfo, ifinfomsg{});
        addText(peerInfo, IFLA_IFNAME, peer);
        std::vector<std::byte> data;
        appendAttribute(data, VETH_INFO_PEER, ByteView(peerInfo));
        std::vector<std::byte> info;
        addText(info, IFLA_INFO_KIND, "veth");
        appendAttribute(info, IFLA_INFO_DATA, ByteView(data));
        NetlinkRequest request{.type = RTM_NEWLINK, .flags = NLM_F_CREATE | NLM_F_EXCL};
        appendValue(request.payload, ifinfomsg{});
        addText(request.payload, IFLA_IFNAME, name);
        appendAttribute(request.payload, IFLA_LINKINFO, ByteView(info));
        const auto done = netlink_.command(std::move(request));
        ASSERT_TRUE(done.has_value()) << done.error().message();
        setUp(name, true);
        setUp(peer, true);
    }

    void setUp(std::string_view name, bool up) {
        NetlinkRequest request{.type = RTM_SETLINK};
        appendValue(request.payload,
                    ifinfomsg{.ifi_index = static_cast<int>(index(name).number),
                              .ifi_flags = up ? unsigned{IFF_UP} : 0U,
                              .ifi_change = IFF_UP});
        const auto done = netlink_.command(std::move(request));
        ASSERT_TRUE(done.has_value()) << done.error().message();
    }

    void rename(IfIndex link, std::string_view name) {
        NetlinkRequest request{.type = RTM_SETLINK};
        appendValue(request.payload,
                    ifinfomsg{.ifi_index = static_cast<int>(link.number)});
        addText(request.payload, IFLA_IFNAME, name);
        const auto done = netlink_.command(std::move(request));
        ASSERT_TRUE(done.has_value()) << done.error().message();
    }

    [[nodiscard]] IfIndex index(std::string_view name) const {
        const auto all = links_.links();
        for (const host::Link& link : all ? *all : std::vector<host::Link>{}) {
            if (link.name == name) {
                return link.index;
            }
        }
        return {};
    }

    NetlinkChannel netlink_{kernelProtocol(NETLINK_ROUTE)};
    RtnlLinks links_{netlink_};

  private:
    UniqueFd before_;
};

}  // namespace fabric::linux_host::testing
