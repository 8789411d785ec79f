// SPDX-License-Identifier: Apache-2.0
#include "linux/route_decode.hpp"

#include "linux/link_decode.hpp"

#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace fabric::linux_host {

namespace {

std::unexpected<Error> malformed(const char* what, const char* detail) {
    return fail(Error{.kind = ErrorKind::malformed,
                      .action = std::string("decode ") + what,
                      .detail = detail});
}

bool isIp(unsigned char family) {
    return family == AF_INET || family == AF_INET6;
}

host::RouteType typeOf(unsigned char type) {
    switch (type) {
        case RTN_UNICAST:
            return host::RouteType::unicast;
        case RTN_BLACKHOLE:
        case RTN_UNREACHABLE:
        case RTN_PROHIBIT:
            return host::RouteType::refused;
        case RTN_THROW:
            return host::RouteType::thrown;
        default:
            return host::RouteType::other;
    }
}

host::RuleAction actionOf(unsigned char action) {
    switch (action) {
        case FR_ACT_TO_TBL:
            return host::RuleAction::table;
        case FR_ACT_GOTO:
            return host::RuleAction::jump;
        case FR_ACT_NOP:
            return host::RuleAction::nothing;
        case FR_ACT_BLACKHOLE:
        case FR_ACT_UNREACHABLE:
        case FR_ACT_PROHIBIT:
            return host::RuleAction::refused;
        default:
            return host::RuleAction::other;
    }
}

// Empty when there is none, or when it is of the other family.
std::optional<IpAddress> addressAt(const Attributes& attributes,
                                   std::uint16_t type,
                                   bool ipv6) {
    const auto bytes = attributes.find(type);
    const auto address = bytes ? IpAddress::fromBytes(*bytes) : std::nullopt;
    return address && address->ipv6 == ipv6 ? address : std::nullopt;
}

// An address that is told with a length has to be there; of length 0 it is everything.
bool isWhole(const std::optional<IpAddress>& address, unsigned char length, bool ipv6) {
    const unsigned most = ipv6 ? 128 : 32;
    return length <= most && (length == 0 || address.has_value());
}

// struct nlattr carries both in one number (lib/nlattr.c); an empty mask is a match.
bool isSelective(const fib_rule_hdr& header, const Attributes& attributes) {
    constexpr auto kSelectors = std::to_array<std::uint16_t>({
        FRA_FWMARK,
        FRA_TUN_ID,
        FRA_UID_RANGE,
        FRA_IP_PROTO,
        FRA_SPORT_RANGE,
        FRA_DPORT_RANGE,
    });
    return header.tos != 0 || std::ranges::any_of(kSelectors, [&](std::uint16_t type) {
               const auto value = attributes.find(type);
               return value && std::ranges::any_of(*value, [](std::byte byte) {
                          return byte != std::byte{0};
                      });
           });
}

// The kernel tells -1 where nothing is suppressed (net/core/fib_rules.c).
std::optional<std::uint32_t> suppressedBy(const Attributes& attributes) {
    const auto length = attributes.value<std::uint32_t>(FRA_SUPPRESS_PREFIXLEN);
    return length && *length <= 128 ? length : std::nullopt;
}

}  // namespace

Result<std::optional<host::Route>> decodeRoute(ByteView payload) {
    const auto header = valueAt<rtmsg>(payload);
    if (!header) {
        return malformed("route", "the message is cut off");
    }
    if (!isIp(header->rtm_family) || (header->rtm_flags & RTM_F_CLONED) != 0) {
        return std::nullopt;
    }
    const bool ipv6 = header->rtm_family == AF_INET6;
    const Attributes attributes =
        TRY(Attributes::parse(payload.subspan(sizeof *header)));
    const auto destination = addressAt(attributes, RTA_DST, ipv6);
    if (!isWhole(destination, header->rtm_dst_len, ipv6)) {
        return malformed("route", "its destination is missing");
    }
    host::Route route{
        .type = typeOf(header->rtm_type),
        .destination = destination.value_or(IpAddress{.ipv6 = ipv6, .octets = {}}),
        .prefixLength = header->rtm_dst_len,
        .table = attributes.value<std::uint32_t>(RTA_TABLE).value_or(header->rtm_table),
        .metric = attributes.value<std::uint32_t>(RTA_PRIORITY).value_or(0),
        .links = {},
        .gateway = addressAt(attributes, RTA_GATEWAY, ipv6),
        .source = addressAt(attributes, RTA_PREFSRC, ipv6),
        .nexthopId = attributes.value<std::uint32_t>(RTA_NH_ID).value_or(0)};
    if (route.table == RT_TABLE_LOCAL) {
        return std::nullopt;
    }
    if (const auto link = attributes.value<std::uint32_t>(RTA_OIF)) {
        route.links.push_back(IfIndex{*link});
    }
    if (const auto hops = attributes.find(RTA_MULTIPATH)) {
        const std::vector<IfIndex> links = TRY(multipathLinks(*hops));
        route.links.insert(route.links.end(), links.begin(), links.end());
    }
    return route;
}

Result<std::optional<host::RoutingRule>> decodeRule(ByteView payload) {
    const auto header = valueAt<fib_rule_hdr>(payload);
    if (!header) {
        return malformed("routing rule", "the message is cut off");
    }
    if (!isIp(header->family)) {
        return std::nullopt;
    }
    const bool ipv6 = header->family == AF_INET6;
    const Attributes attributes =
        TRY(Attributes::parse(payload.subspan(sizeof *header)));
    const auto number = [&](std::uint16_t type) {
        return attributes.value<std::uint32_t>(type);
    };
    host::RoutingRule rule{.ipv6 = ipv6,
                           .priority = number(FRA_PRIORITY).value_or(0),
                           .action = actionOf(header->action),
                           .table = number(FRA_TABLE).value_or(header->table),
                           .from = addressAt(attributes, FRA_SRC, ipv6),
                           .fromLength = header->src_len,
                           .to = addressAt(attributes, FRA_DST, ipv6),
                           .toLength = header->dst_len,
                           .inInterface = attributes.text(FRA_IIFNAME),
                           .outInterface = attributes.text(FRA_OIFNAME),
                           .inverted = (header->flags & FIB_RULE_INVERT) != 0,
                           .selective = isSelective(*header, attributes),
                           .suppressedLength = suppressedBy(attributes),
                           .jumpTo = number(FRA_GOTO).value_or(0)};
    if (attributes.value<std::uint8_t>(FRA_L3MDEV).value_or(0) != 0) {
        // Its table is that of the VRF, which is none of the rule's own.
        rule.action = host::RuleAction::other;
    }
    if (!isWhole(rule.from, rule.fromLength, ipv6) ||
        !isWhole(rule.to, rule.toLength, ipv6)) {
        return malformed("routing rule", "an address is missing");
    }
    return rule;
}

}  // namespace fabric::linux_host
