// SPDX-License-Identifier: Apache-2.0
#include "linux/rtnl_links.hpp"

#include "linux/link_names.hpp"

#include <linux/if_link.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace fabric::linux_host {

namespace {

Error about(Error error, std::string action, std::string subject) {
    error.action = std::move(action);
    error.subject = std::move(subject);
    return error;
}

NetlinkRequest linkRequest(int index) {
    NetlinkRequest request{.type = RTM_GETLINK};
    appendValue(request.payload,
                ifinfomsg{.ifi_family = AF_UNSPEC, .ifi_index = index});
    // Statistics are half of every answer, and nobody here reads them.
    appendAttribute(
        request.payload, IFLA_EXT_MASK, std::uint32_t{RTEXT_FILTER_SKIP_STATS});
    return request;
}

// Every part of a dump as a value; the first that cannot be decoded is the error.
template <typename T>
Result<std::vector<T>> decodeEach(const std::vector<std::vector<std::byte>>& parts,
                                  Result<T> (*decode)(ByteView)) {
    std::vector<T> values;
    values.reserve(parts.size());
    for (const auto& part : parts) {
        Result<T> value = decode(part);
        if (!value) {
            return fail(std::move(value.error()));
        }
        values.push_back(std::move(*value));
    }
    return values;
}

// A group of nexthops holds no groups (net/ipv4/nexthop.c, valid_group_nh).
constexpr int kGroupDepth = 2;

}  // namespace

Result<std::vector<host::Link>> RtnlLinks::links() const {
    auto parts = netlink_->dump(linkRequest(0));
    if (!parts) {
        return fail(about(std::move(parts.error()), "list interfaces", {}));
    }
    std::vector<host::Link> links = TRY(decodeEach(*parts, decodeLink));
    std::ranges::sort(links, {}, &host::Link::index);
    return links;
}

Result<host::Link> RtnlLinks::link(IfIndex index) const {
    auto answer =
        netlink_->ask(linkRequest(static_cast<int>(index.number)), RTM_NEWLINK);
    if (!answer) {
        return fail(
            about(std::move(answer.error()), "read interface", describe(index)));
    }
    host::Link link = TRY(decodeLink(*answer));
    if (link.index != index) {
        return fail(Error{.kind = ErrorKind::malformed,
                          .action = "read interface",
                          .subject = describe(index),
                          .detail = "the answer is about " + describe(link.index)});
    }
    return link;
}

Result<std::vector<host::LinkAddress>> RtnlLinks::addresses() const {
    NetlinkRequest request{.type = RTM_GETADDR};
    appendValue(request.payload, ifaddrmsg{.ifa_family = AF_UNSPEC});
    auto parts = netlink_->dump(std::move(request));
    if (!parts) {
        return fail(about(std::move(parts.error()), "list addresses", {}));
    }
    const auto decoded = TRY(decodeEach(*parts, decodeAddress));
    std::vector<host::LinkAddress> addresses;
    for (const auto& address : decoded) {
        if (address) {
            addresses.push_back(*address);
        }
    }
    return addresses;
}

Result<std::vector<IfIndex>> RtnlLinks::defaultRouteLinks() const {
    std::set<IfIndex> links;
    TRY(addDefaultRoutes(AF_INET, links));
    TRY(addDefaultRoutes(AF_INET6, links));
    return std::vector<IfIndex>(links.begin(), links.end());
}

Result<void> RtnlLinks::addDefaultRoutes(unsigned char family,
                                         std::set<IfIndex>& links) const {
    NetlinkRequest request{.type = RTM_GETROUTE};
    appendValue(request.payload, rtmsg{.rtm_family = family});
    auto parts = netlink_->dump(std::move(request));
    if (!parts) {
        return fail(about(std::move(parts.error()), "list routes", {}));
    }
    const auto routes = TRY(decodeEach(*parts, decodeDefaultRoute));
    std::vector<std::uint32_t> nexthops;
    for (const auto& route : routes) {
        if (route) {
            links.insert(route->links.begin(), route->links.end());
            nexthops.push_back(route->nexthopId);
        }
    }
    return addNexthops(std::move(nexthops), links);
}

Result<void> RtnlLinks::addNexthops(std::vector<std::uint32_t> ids,
                                    std::set<IfIndex>& links) const {
    for (int depth = 0; depth < kGroupDepth; ++depth) {
        const std::set<std::uint32_t> wanted(ids.begin(), ids.end());
        ids.clear();
        for (const std::uint32_t id : wanted) {
            const Result<Nexthop> nexthop = id == 0 ? Nexthop{} : askNexthop(id);
            if (!nexthop) {
                return fail(nexthop.error());
            }
            if (nexthop->link) {
                links.insert(*nexthop->link);
            }
            std::ranges::copy(nexthop->group, std::back_inserter(ids));
        }
    }
    return {};
}

Result<Nexthop> RtnlLinks::askNexthop(std::uint32_t id) const {
    NetlinkRequest request{.type = RTM_GETNEXTHOP};
    appendValue(request.payload, nhmsg{});
    appendAttribute(request.payload, NHA_ID, id);
    auto answer = netlink_->ask(request, RTM_NEWNEXTHOP);
    if (!answer) {
        return fail(about(
            std::move(answer.error()), "read nexthop", "id " + std::to_string(id)));
    }
    return decodeNexthop(*answer);
}

Result<std::unique_ptr<host::LinkWatch>> RtnlLinks::watch() const {
    NetlinkSocket socket = TRY(NetlinkSocket::open(NETLINK_ROUTE));
    TRY(socket.join(RTNLGRP_LINK));
    return std::make_unique<RtnlLinkWatch>(std::move(socket));
}

Result<void> RtnlLinkWatch::take(ByteView datagram) {
    const auto messages = TRY(messagesOf(datagram));
    for (const NetlinkMessage& message : messages) {
        if (message.type != RTM_NEWLINK) {
            continue;
        }
        Result<host::Link> link = decodeLink(message.payload);
        if (!link) {
            return fail(std::move(link.error()));
        }
        pending_.push_back(std::move(*link));
    }
    return {};
}

Result<std::optional<host::Link>> RtnlLinkWatch::next(
    std::chrono::steady_clock::time_point deadline) {
    while (pending_.empty()) {
        const auto datagram = socket_.receive(deadline, Signals::letIn);
        if (!datagram) {
            return fail(datagram.error());
        }
        if (!*datagram) {
            return std::nullopt;
        }
        if (const auto taken = take(**datagram); !taken) {
            return fail(taken.error());
        }
    }
    host::Link link = std::move(pending_.front());
    pending_.pop_front();
    return link;
}

}  // namespace fabric::linux_host
