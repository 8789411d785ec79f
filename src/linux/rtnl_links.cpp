// SPDX-License-Identifier: Apache-2.0
#include "linux/rtnl_links.hpp"

#include "linux/link_decode.hpp"
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

// The object is named by a route and may be removed before it is asked for.
constexpr int kGroupDepth = 2;

}  // namespace

Result<std::vector<host::Link>> RtnlLinks::links() const {
    auto parts = netlink_->dump(linkRequest(0));
    if (!parts) {
        return fail(about(std::move(parts.error()), "list interfaces", {}));
    }
    std::vector<host::Link> links;
    for (const auto& part : *parts) {
        links.push_back(TRY(decodeLink(part)));
    }
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
    return decodeLink(*answer);
}

Result<std::vector<host::LinkAddress>> RtnlLinks::addresses() const {
    NetlinkRequest request{.type = RTM_GETADDR};
    appendValue(request.payload, ifaddrmsg{.ifa_family = AF_UNSPEC});
    auto parts = netlink_->dump(std::move(request));
    if (!parts) {
        return fail(about(std::move(parts.error()), "list addresses", {}));
    }
    std::vector<host::LinkAddress> addresses;
    for (const auto& part : *parts) {
        if (const auto address = TRY(decodeAddress(part))) {
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
    std::set<std::uint32_t> nexthops;
    for (const auto& part : *parts) {
        const auto route = TRY(decodeDefaultRoute(part));
        if (route) {
            links.insert(route->links.begin(), route->links.end());
            nexthops.insert(route->nexthopId);
        }
    }
    nexthops.erase(0);
    for (const std::uint32_t id : nexthops) {
        TRY(addNexthop(id, links));
    }
    return {};
}

Result<void> RtnlLinks::addNexthop(std::uint32_t id, std::set<IfIndex>& links) const {
    std::vector<std::uint32_t> wanted{id};
    for (int depth = 0; depth < kGroupDepth && !wanted.empty(); ++depth) {
        std::vector<std::uint32_t> members;
        for (const std::uint32_t nexthopId : wanted) {
            NetlinkRequest request{.type = RTM_GETNEXTHOP};
            appendValue(request.payload, nhmsg{});
            appendAttribute(request.payload, NHA_ID, nexthopId);
            auto answer = netlink_->ask(request, RTM_NEWNEXTHOP);
            if (!answer) {
                return fail(about(std::move(answer.error()),
                                  "read nexthop",
                                  "id " + std::to_string(nexthopId)));
            }
            const Nexthop nexthop = TRY(decodeNexthop(*answer));
            if (nexthop.link) {
                links.insert(*nexthop.link);
            }
            std::ranges::copy(nexthop.group, std::back_inserter(members));
        }
        wanted = std::move(members);
    }
    return {};
}

Result<std::unique_ptr<host::LinkWatch>> RtnlLinks::watch() const {
    NetlinkSocket socket = TRY(NetlinkSocket::open(NETLINK_ROUTE));
    TRY(socket.join(RTNLGRP_LINK));
    return std::make_unique<RtnlLinkWatch>(std::move(socket));
}

Result<std::optional<host::Link>> RtnlLinkWatch::next(
    std::chrono::steady_clock::time_point deadline) {
    while (pending_.empty()) {
        const auto datagram = TRY(socket_.receive(deadline));
        if (!datagram) {
            return std::nullopt;
        }
        const auto messages = TRY(messagesOf(*datagram));
        for (const NetlinkMessage& message : messages) {
            if (message.type == RTM_NEWLINK) {
                pending_.insert(pending_.begin(), TRY(decodeLink(message.payload)));
            }
        }
    }
    host::Link link = std::move(pending_.back());
    pending_.pop_back();
    return link;
}

}  // namespace fabric::linux_host
