// SPDX-License-Identifier: Apache-2.0
#include "netns/namespace.hpp"

#include <gtest/gtest.h>

#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace fabric::netns {

using linux_host::appendAttribute;
using linux_host::appendValue;
using linux_host::ByteView;
using linux_host::NetlinkRequest;

namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 10s;
constexpr const char* kOwnNamespace = "/proc/thread-self/ns/net";

void addText(std::vector<std::byte>& bytes, std::uint16_t type, std::string text) {
    text.push_back('\0');
    appendAttribute(bytes, type, ByteView(std::as_bytes(std::span(text))));
}

NetlinkRequest setLink(IfIndex link) {
    NetlinkRequest request{.type = RTM_SETLINK};
    appendValue(request.payload, ifinfomsg{.ifi_index = static_cast<int>(link.number)});
    return request;
}

NetlinkRequest neighbour(std::uint16_t type, IfIndex link, Ipv4 address) {
    NetlinkRequest request{.type = type};
    appendValue(
        request.payload,
        ndmsg{.ndm_family = AF_INET, .ndm_ifindex = static_cast<int>(link.number)});
    appendAttribute(request.payload, NDA_DST, address);
    return request;
}

// One message about a neighbour.
struct Entry {
    IfIndex link;
    Ipv4 address{};
    std::uint16_t state = 0;
    std::optional<MacAddress> mac;
};

std::optional<Entry> entryOf(ByteView payload) {
    const auto header = linux_host::valueAt<ndmsg>(payload);
    if (!header || header->ndm_family != AF_INET) {
        return std::nullopt;
    }
    const auto attributes =
        linux_host::Attributes::parse(payload.subspan(sizeof *header)).value();
    Entry entry{.link = IfIndex{static_cast<std::uint32_t>(header->ndm_ifindex)},
                .address = attributes.value<Ipv4>(NDA_DST).value_or(Ipv4{}),
                .state = header->ndm_state,
                .mac = std::nullopt};
    if (const auto octets = attributes.value<std::array<std::uint8_t, 6>>(NDA_LLADDR)) {
        entry.mac = MacAddress{*octets};
    }
    return entry;
}

// Waits until the entry is usable or has failed.
std::optional<MacAddress> outcome(linux_host::NetlinkSocket& events,
                                  IfIndex link,
                                  Ipv4 address) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (true) {
        const auto datagram = events.receive(deadline);
        if (!datagram || !*datagram) {
            ADD_FAILURE() << "the kernel never said what became of the entry";
            return std::nullopt;
        }
        const auto messages = linux_host::messagesOf(**datagram).value();
        for (const linux_host::NetlinkMessage& message : messages) {
            const auto entry = entryOf(message.payload);
            if (message.type != RTM_NEWNEIGH || !entry || entry->link != link ||
                entry->address != address) {
                continue;
            }
            if ((entry->state & NUD_REACHABLE) != 0) {
                return entry->mac;
            }
            if ((entry->state & NUD_FAILED) != 0) {
                return std::nullopt;
            }
        }
    }
}

std::string sysctlPath(const std::string& path) {
    return "/proc/sys/net/ipv4/" + path;
}

}  // namespace

Result<std::unique_ptr<Namespace>> Namespace::create() {
    const UniqueFd before(::open(kOwnNamespace, O_RDONLY | O_CLOEXEC));
    if (::unshare(CLONE_NEWNET) != 0) {
        return fail(systemError("unshare", "network namespace", errno));
    }
    std::unique_ptr<Namespace> made(new Namespace);
    made->fd_ = UniqueFd(::open(kOwnNamespace, O_RDONLY | O_CLOEXEC));
    made->setUp("lo");
    if (::setns(before.get(), CLONE_NEWNET) != 0) {
        return fail(systemError("setns", "network namespace", errno));
    }
    return made;
}

void Namespace::inside(const std::function<void()>& work) const {
    const UniqueFd before(::open(kOwnNamespace, O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(::setns(fd_.get(), CLONE_NEWNET), 0) << std::strerror(errno);
    work();
    ASSERT_EQ(::setns(before.get(), CLONE_NEWNET), 0) << std::strerror(errno);
}

void Namespace::command(NetlinkRequest request) {
    const auto done = netlink_.command(std::move(request));
    ASSERT_TRUE(done.has_value()) << done.error().message();
}

void Namespace::addBridge(const std::string& name) {
    std::vector<std::byte> info;
    addText(info, IFLA_INFO_KIND, "bridge");
    NetlinkRequest request{.type = RTM_NEWLINK, .flags = NLM_F_CREATE | NLM_F_EXCL};
    appendValue(request.payload, ifinfomsg{});
    addText(request.payload, IFLA_IFNAME, name);
    appendAttribute(request.payload, IFLA_LINKINFO, ByteView(info));
    command(std::move(request));
    setUp(name);
}

void Namespace::addVeth(const std::string& name,
                        Namespace& other,
                        const std::string& peer,
                        const MacAddress& peerMac) {
    std::vector<std::byte> peerInfo;
    appendValue(peerInfo, ifinfomsg{});
    addText(peerInfo, IFLA_IFNAME, peer);
    appendAttribute(peerInfo, IFLA_NET_NS_FD, std::uint32_t(other.fd()));
    appendAttribute(peerInfo, IFLA_ADDRESS, peerMac.octets);
    std::vector<std::byte> pair;
    appendAttribute(pair, VETH_INFO_PEER, ByteView(peerInfo));
    std::vector<std::byte> info;
    addText(info, IFLA_INFO_KIND, "veth");
    appendAttribute(info, IFLA_INFO_DATA, ByteView(pair));
    NetlinkRequest request{.type = RTM_NEWLINK, .flags = NLM_F_CREATE | NLM_F_EXCL};
    appendValue(request.payload, ifinfomsg{});
    addText(request.payload, IFLA_IFNAME, name);
    appendAttribute(request.payload, IFLA_LINKINFO, ByteView(info));
    command(std::move(request));
    setUp(name);
    other.setUp(peer);
}

void Namespace::enslave(const std::string& name, const std::string& bridge) {
    NetlinkRequest request = setLink(index(name));
    appendAttribute(request.payload, IFLA_MASTER, index(bridge).number);
    command(std::move(request));
}

void Namespace::setUp(const std::string& name) {
    NetlinkRequest request{.type = RTM_SETLINK};
    appendValue(request.payload,
                ifinfomsg{.ifi_index = static_cast<int>(index(name).number),
                          .ifi_flags = IFF_UP,
                          .ifi_change = IFF_UP});
    command(std::move(request));
}

void Namespace::removeLink(const std::string& name) {
    NetlinkRequest request = setLink(index(name));
    request.type = RTM_DELLINK;
    command(std::move(request));
}

void Namespace::rename(const std::string& name, const std::string& to) {
    NetlinkRequest request = setLink(index(name));
    addText(request.payload, IFLA_IFNAME, to);
    command(std::move(request));
}

void Namespace::setMtu(const std::string& name, std::uint32_t mtu) {
    NetlinkRequest request = setLink(index(name));
    appendAttribute(request.payload, IFLA_MTU, mtu);
    command(std::move(request));
}

void Namespace::addAddress(const std::string& name, Ipv4 address, std::uint8_t prefix) {
    NetlinkRequest request{.type = RTM_NEWADDR, .flags = NLM_F_CREATE};
    appendValue(request.payload,
                ifaddrmsg{.ifa_family = AF_INET,
                          .ifa_prefixlen = prefix,
                          .ifa_index = index(name).number});
    appendAttribute(request.payload, IFA_LOCAL, address);
    appendAttribute(request.payload, IFA_ADDRESS, address);
    command(std::move(request));
}

void Namespace::removeAddresses(const std::string& name) {
    const auto all = links_.addresses();
    ASSERT_TRUE(all.has_value()) << all.error().message();
    for (const host::LinkAddress& address : *all) {
        if (address.link == index(name) && !address.ipv6) {
            NetlinkRequest request{.type = RTM_DELADDR};
            appendValue(request.payload,
                        ifaddrmsg{.ifa_family = AF_INET,
                                  .ifa_prefixlen = address.prefixLength,
                                  .ifa_index = address.link.number});
            appendAttribute(request.payload,
                            IFA_LOCAL,
                            Ipv4{address.octets[0],
                                 address.octets[1],
                                 address.octets[2],
                                 address.octets[3]});
            command(std::move(request));
        }
    }
}

void Namespace::addHostRoute(const std::string& name, Ipv4 destination) {
    constexpr unsigned char kWholeAddress = 32;
    NetlinkRequest request{.type = RTM_NEWROUTE, .flags = NLM_F_CREATE};
    appendValue(request.payload,
                rtmsg{.rtm_family = AF_INET,
                      .rtm_dst_len = kWholeAddress,
                      .rtm_table = RT_TABLE_MAIN,
                      .rtm_protocol = RTPROT_STATIC,
                      .rtm_scope = RT_SCOPE_LINK,
                      .rtm_type = RTN_UNICAST});
    appendAttribute(request.payload, RTA_DST, destination);
    appendAttribute(request.payload, RTA_OIF, index(name).number);
    command(std::move(request));
}

void Namespace::setSysctl(const std::string& path, int value) const {
    inside([&] {
        std::ofstream file(sysctlPath(path));
        file << value << std::flush;
        EXPECT_TRUE(file.good()) << path;
    });
}

int Namespace::sysctl(const std::string& path) const {
    int value = 0;
    inside([&] {
        std::ifstream file(sysctlPath(path));
        file >> value;
        EXPECT_TRUE(file.good() || file.eof()) << path;
    });
    return value;
}

IfIndex Namespace::index(const std::string& name) const {
    const auto all = links_.links();
    for (const host::Link& link : all ? *all : std::vector<host::Link>{}) {
        if (link.name == name) {
            return link.index;
        }
    }
    ADD_FAILURE() << "no interface " << name;
    return {};
}

linux_host::NetlinkSocket Namespace::listen() const {
    std::optional<linux_host::NetlinkSocket> socket;
    inside([&] {
        socket = linux_host::NetlinkSocket::open(NETLINK_ROUTE).value();
        ASSERT_TRUE(socket->join(RTNLGRP_NEIGH).has_value());
    });
    return std::move(*socket);
}

void Namespace::forget(const std::string& name, Ipv4 address) {
    const auto done = netlink_.command(neighbour(RTM_DELNEIGH, index(name), address));
    ASSERT_TRUE(done || done.error().sysErrno == ENOENT) << done.error().message();
}

std::optional<MacAddress> Namespace::resolve(const std::string& name, Ipv4 address) {
    const IfIndex link = index(name);
    forget(name, address);
    linux_host::NetlinkSocket events = listen();
    NetlinkRequest request{.type = RTM_NEWNEIGH, .flags = NLM_F_CREATE | NLM_F_REPLACE};
    appendValue(request.payload,
                ndmsg{.ndm_family = AF_INET,
                      .ndm_ifindex = static_cast<int>(link.number),
                      .ndm_state = NUD_NONE,
                      .ndm_flags = NTF_USE});
    appendAttribute(request.payload, NDA_DST, address);
    command(std::move(request));
    return outcome(events, link, address);
}

std::optional<MacAddress> Namespace::cached(const std::string& name, Ipv4 address) {
    const auto answer =
        netlink_.ask(neighbour(RTM_GETNEIGH, index(name), address), RTM_NEWNEIGH);
    const auto entry = answer ? entryOf(*answer) : std::nullopt;
    return entry ? entry->mac : std::nullopt;
}

bool Namespace::sendFrom(Ipv4 source, const std::string& name, Ipv4 destination) {
    constexpr std::uint16_t kDiscardPort = 9;
    const auto socketAddress = [](Ipv4 octets, std::uint16_t port) {
        sockaddr_in made{.sin_family = AF_INET, .sin_port = htons(port)};
        std::memcpy(&made.sin_addr, octets.data(), octets.size());
        return made;
    };
    forget(name, destination);
    linux_host::NetlinkSocket events = listen();
    inside([&] {
        const UniqueFd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        const sockaddr_in from = socketAddress(source, 0);
        const sockaddr_in to = socketAddress(destination, kDiscardPort);
        ASSERT_EQ(::setsockopt(fd.get(),
                               SOL_SOCKET,
                               SO_BINDTODEVICE,
                               name.data(),
                               static_cast<socklen_t>(name.size())),
                  0);
        ASSERT_EQ(
            ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&from), sizeof from), 0);
        ASSERT_EQ(
            ::sendto(
                fd.get(), "", 1, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to),
            1)
            << std::strerror(errno);
    });
    return outcome(events, index(name), destination).has_value();
}

}  // namespace fabric::netns
