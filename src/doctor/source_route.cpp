// SPDX-License-Identifier: Apache-2.0
#include "doctor/source_route.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace fabric::doctor {

namespace {

IpAddress ipOf(const host::LinkAddress& address) {
    return {.ipv6 = address.ipv6, .octets = address.octets};
}

bool overlap(const host::LinkAddress& left, const host::LinkAddress& right) {
    const IpAddress first = ipOf(left);
    const IpAddress second = ipOf(right);
    return left.ipv6 == right.ipv6 && !first.isLinkLocal() && !second.isLinkLocal() &&
           first.sharesPrefix(second, std::min(left.prefixLength, right.prefixLength));
}

bool isShared(const Evidence& evidence,
              const RailEvidence& own,
              const host::LinkAddress& address) {
    return std::ranges::any_of(evidence.rails, [&](const RailEvidence& other) {
        return &other != &own &&
               std::ranges::any_of(other.addresses, [&](const auto& theirs) {
                   return overlap(address, theirs);
               });
    });
}

// Rules with a mark, a user or ports are for other packets; what is sent from here has
// come in by "lo" (include/net/flow.h, LOOPBACK_IFINDEX).
bool matches(const host::RoutingRule& rule,
             const IpAddress& source,
             std::uint8_t prefixLength) {
    const bool ofAll = rule.ipv6 == source.ipv6 && !rule.selective &&
                       (rule.inInterface.empty() || rule.inInterface == "lo") &&
                       rule.outInterface.empty();
    if (!ofAll) {
        return false;
    }
    const bool from = !rule.from || rule.from->sharesPrefix(source, rule.fromLength);
    const bool to = !rule.to || (rule.toLength <= prefixLength &&
                                 rule.to->sharesPrefix(source, rule.toLength));
    return (from && to) != rule.inverted;
}

// The longest prefix that holds the whole network, and of those the smallest metric.
const host::Route* routeIn(const host::Routes& routes,
                           const host::RoutingRule& rule,
                           const IpAddress& source,
                           std::uint8_t prefixLength) {
    const host::Route* best = nullptr;
    const auto rank = [](const host::Route& route) {
        return std::tuple(-int{route.prefixLength}, route.metric);
    };
    for (const host::Route& route : routes.routes) {
        const bool counts =
            route.table == rule.table && route.type != host::RouteType::other &&
            route.destination.ipv6 == source.ipv6 &&
            route.prefixLength <= prefixLength &&
            (!rule.suppressedLength || route.prefixLength > *rule.suppressedLength) &&
            route.destination.sharesPrefix(source, route.prefixLength);
        if (counts && (best == nullptr || rank(route) < rank(*best))) {
            best = &route;
        }
    }
    return best != nullptr && best->type == host::RouteType::thrown ? nullptr : best;
}

}  // namespace

std::vector<SharedAddress> sharedAddresses(const Evidence& evidence) {
    std::vector<SharedAddress> shared;
    for (const RailEvidence& rail : evidence.rails) {
        for (const host::LinkAddress& address : rail.addresses) {
            if (isShared(evidence, rail, address)) {
                shared.push_back({.rail = &rail, .address = address});
            }
        }
    }
    return shared;
}

std::vector<IfIndex> departureOf(const RoutingEvidence& routing,
                                 const IpAddress& source,
                                 std::uint8_t prefixLength) {
    std::uint32_t from = 0;  // priority; a jump goes forward only
    for (const host::RoutingRule& rule : routing.rules) {
        if (rule.priority < from || !matches(rule, source, prefixLength)) {
            continue;
        }
        if (rule.action == host::RuleAction::refused) {
            return {};
        }
        if (rule.action == host::RuleAction::jump) {
            from = rule.jumpTo;
        }
        if (rule.action != host::RuleAction::table) {
            continue;
        }
        const auto* const route = routeIn(routing.routes, rule, source, prefixLength);
        if (route != nullptr) {
            return route->links;
        }
    }
    return {};
}

bool leavesByItself(const Evidence& evidence, const RailEvidence& rail) {
    if (!evidence.routing || !*evidence.routing) {
        return false;
    }
    bool any = false;
    for (const SharedAddress& one : sharedAddresses(evidence)) {
        if (one.rail != &rail) {
            continue;
        }
        any = true;
        if (departureOf(**evidence.routing,
                        ipOf(one.address),
                        one.address.prefixLength) != std::vector{one.address.link}) {
            return false;
        }
    }
    return any;
}

}  // namespace fabric::doctor
