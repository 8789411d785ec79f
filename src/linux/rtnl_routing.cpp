// SPDX-License-Identifier: Apache-2.0
#include "linux/rtnl_routing.hpp"

#include "linux/route_decode.hpp"

#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace fabric::linux_host {

namespace {

// A kernel without this family has none of its rules (net/core/fib_rules.c,
// fib_nl_dumprule).
bool isAbsent(const Error& error) {
    return error.sysErrno == EAFNOSUPPORT || error.sysErrno == EOPNOTSUPP;
}

}  // namespace

Result<void> RtnlRouting::addRoutes(unsigned char family, host::Routes& found) const {
    NetlinkRequest request{.type = RTM_GETROUTE};
    appendValue(request.payload, rtmsg{.rtm_family = family});
    auto parts = netlink_->dump(std::move(request));
    if (!parts) {
        Error error = std::move(parts.error());
        error.action = "list routes";
        return fail(std::move(error));
    }
    for (const auto& part : *parts) {
        const auto route = TRY(decodeRoute(part));
        // A kernel without this family tells those of all others instead.
        if (!route || route->destination.ipv6 != (family == AF_INET6)) {
            continue;
        }
        if (found.routes.size() < host::kMostRoutes) {
            found.routes.push_back(*route);
        } else {
            ++found.left;
        }
    }
    return {};
}

Result<void> RtnlRouting::addRules(unsigned char family,
                                   std::vector<host::RoutingRule>& found) const {
    NetlinkRequest request{.type = RTM_GETRULE};
    appendValue(request.payload, fib_rule_hdr{.family = family});
    auto parts = netlink_->dump(std::move(request));
    if (!parts && isAbsent(parts.error())) {
        return {};
    }
    if (!parts) {
        Error error = std::move(parts.error());
        error.action = "list routing rules";
        return fail(std::move(error));
    }
    for (const auto& part : *parts) {
        const auto rule = TRY(decodeRule(part));
        if (rule && rule->ipv6 == (family == AF_INET6)) {
            found.push_back(*rule);
        }
    }
    return {};
}

Result<host::Routes> RtnlRouting::routes() const {
    host::Routes found;
    TRY(addRoutes(AF_INET, found));
    TRY(addRoutes(AF_INET6, found));
    return found;
}

Result<std::vector<host::RoutingRule>> RtnlRouting::rules() const {
    std::vector<host::RoutingRule> found;
    TRY(addRules(AF_INET, found));
    TRY(addRules(AF_INET6, found));
    return found;
}

}  // namespace fabric::linux_host
