// SPDX-License-Identifier: Apache-2.0
// One part of a route netlink dump: links with their IPv4 settings, addresses, routes,
// rules, nexthop objects.
#include "fuzz/property.hpp"
#include "linux/ipv4_conf.hpp"
#include "linux/link_decode.hpp"
#include "linux/route_decode.hpp"

#include <linux/fib_rules.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

namespace fabric::linux_host {
namespace {

using fuzz::require;

constexpr std::uint16_t kOfTheFuture = 0x3FFF;

template <typename T>
void requireMalformed(const Result<T>& decoded) {
    if (!decoded) {
        require(decoded.error().kind == ErrorKind::malformed, "bytes are malformed");
        fuzz::requirePrintable(decoded.error().message());
    }
}

void judgeLink(ByteView payload) {
    const auto link = decodeLink(payload);
    requireMalformed(link);
    if (!link) {
        return;
    }
    require(!link->index.none(), "a link has an index");
    require(link->lower != link->index, "no link stands on itself");
    require(!link->name.contains('\0') && !link->kind.contains('\0'), "text ends at 0");
    require(link->physSwitchId.size() % 2 == 0, "whole octets");
    if (payload.size() % NLA_ALIGNTO != 0) {
        return;
    }
    // What is appended overrides, and what nobody knows changes nothing.
    std::vector<std::byte> more(payload.begin(), payload.end());
    appendAttribute(more, IFLA_MTU, std::uint32_t{4200});
    appendAttribute(more, kOfTheFuture, std::uint64_t{1});
    const auto changed = decodeLink(more);
    require(changed && changed->mtu == 4200U, "the last of equal attributes counts");
    require(changed->name == link->name && changed->mac == link->mac &&
                changed->lower == link->lower,
            "other attributes are not touched");
}

void judgeConf(ByteView payload) {
    const auto conf = decodeIpv4Conf(payload);
    requireMalformed(conf);
    if (!conf || !*conf) {
        return;
    }
    require(!(*conf)->link.none(), "settings belong to an interface");
    require((*conf)->values.size() <= 4, "no key that nobody asked for");
    const auto request = encodeIpv4Conf((*conf)->link, (*conf)->values);
    require(decodeIpv4Conf(request).has_value(), "a request of ours is well-formed");
}

void judgeRoute(ByteView payload) {
    const auto route = decodeDefaultRoute(payload);
    requireMalformed(route);
    if (route && *route) {
        require((*route)->links.empty() || (*route)->nexthopId == 0,
                "an object is asked only where no link was told");
        require((*route)->links.size() <= payload.size() / sizeof(rtnexthop) + 1,
                "no hop from nowhere");
    }
}

void judgeWholeRoute(ByteView payload) {
    const auto route = decodeRoute(payload);
    requireMalformed(route);
    if (!route || !*route) {
        return;
    }
    const unsigned most = (*route)->destination.ipv6 ? 128 : 32;
    require((*route)->prefixLength <= most, "no prefix is longer than its address");
    require((*route)->table != RT_TABLE_LOCAL, "own addresses are no routes");
    require((*route)->links.size() <= payload.size() / sizeof(rtnexthop) + 1,
            "no hop from nowhere");
    require(!(*route)->gateway || (*route)->gateway->ipv6 == (*route)->destination.ipv6,
            "a gateway is of the family of its route");
    const auto whole = decodeDefaultRoute(payload);
    require(whole.has_value(), "both decoders take what one takes");
    require(!*whole || (*route)->prefixLength == 0,
            "a default route is one to everywhere");
}

void judgeRule(ByteView payload) {
    const auto rule = decodeRule(payload);
    requireMalformed(rule);
    if (!rule || !*rule) {
        return;
    }
    const unsigned most = (*rule)->ipv6 ? 128 : 32;
    require((*rule)->fromLength <= most && (*rule)->toLength <= most,
            "no prefix is longer than its address");
    require((*rule)->fromLength == 0 || (*rule)->from,
            "a rule for one network is not one for all");
    require((*rule)->toLength == 0 || (*rule)->to,
            "a rule to one network is not one for all");
    require(
        !(*rule)->inInterface.contains('\0') && !(*rule)->outInterface.contains('\0'),
        "text ends at 0");
    if (payload.size() % NLA_ALIGNTO != 0) {
        return;
    }
    std::vector<std::byte> more(payload.begin(), payload.end());
    appendAttribute(more, FRA_PRIORITY, std::uint32_t{77});
    appendAttribute(more, kOfTheFuture, std::uint64_t{1});
    const auto changed = decodeRule(more);
    require(changed && *changed && (*changed)->priority == 77U,
            "the last of equal attributes counts");
    require((*changed)->from == (*rule)->from && (*changed)->table == (*rule)->table,
            "other attributes are not touched");
}

void judgeAddress(ByteView payload) {
    const auto address = decodeAddress(payload);
    requireMalformed(address);
    if (address && *address && !(*address)->ipv6) {
        require(std::ranges::all_of((*address)->octets.begin() + 4,
                                    (*address)->octets.end(),
                                    [](std::uint8_t octet) { return octet == 0; }),
                "an IPv4 address has four octets");
    }
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const ByteView payload = input.bytes();
    judgeLink(payload);
    judgeConf(payload);
    judgeRoute(payload);
    judgeWholeRoute(payload);
    judgeRule(payload);
    judgeAddress(payload);
    const auto nexthop = decodeNexthop(payload);
    requireMalformed(nexthop);
    if (nexthop) {
        require(nexthop->group.size() * 8 <= payload.size(), "no member from nowhere");
    }
}

}  // namespace fabric::linux_host
