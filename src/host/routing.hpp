// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ip_address.hpp"
#include "base/quantity.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fabric::host {

// What becomes of a packet that a route is found for (RTN_* of linux/rtnetlink.h).
enum class RouteType { unicast, refused, thrown, other };

// One route as RTM_NEWROUTE describes it.
struct Route {
    RouteType type = RouteType::other;
    IpAddress destination;  // its family is that of the route
    std::uint8_t prefixLength = 0;
    std::uint32_t table = 0;
    std::uint32_t metric = 0;          // of equal prefixes the smallest is taken
    std::vector<IfIndex> links;        // it leaves by; several: one per hop
    std::optional<IpAddress> gateway;  // empty: on the link, or several hops
    std::optional<IpAddress> source;   // RTA_PREFSRC
    std::uint32_t nexthopId = 0;       // of an object that names the links; 0: none
    bool operator==(const Route&) const = default;
};

struct Routes {
    std::vector<Route> routes;
    std::size_t left = 0;  // how many more there are
    bool operator==(const Routes&) const = default;
};

// What a rule does with a packet (FR_ACT_* of linux/fib_rules.h).
enum class RuleAction { table, jump, nothing, refused, other };

// One rule as RTM_NEWRULE describes it. Rules are tried by rising priority.
struct RoutingRule {
    bool ipv6 = false;
    std::uint32_t priority = 0;
    RuleAction action = RuleAction::other;
    std::uint32_t table = 0;
    std::optional<IpAddress> from;
    std::uint8_t fromLength = 0;
    std::optional<IpAddress> to;
    std::uint8_t toLength = 0;
    std::string inInterface;
    std::string outInterface;
    bool inverted = false;
    // It asks for more: a mark, a type of service, a user, ports, a tunnel.
    bool selective = false;
    // Routes with a prefix of this length or a shorter one do not count.
    std::optional<std::uint32_t> suppressedLength;
    std::uint32_t jumpTo = 0;  // priority
    bool operator==(const RoutingRule&) const = default;
};

inline constexpr std::size_t kMostRoutes = 4096;

class RoutingReader {
  public:
    virtual ~RoutingReader() = default;
    // IPv4 and IPv6 routes of every table but `local`, the first kMostRoutes.
    [[nodiscard]] virtual Result<Routes> routes() const = 0;
    // IPv4, then IPv6, each in the order in which the kernel tries them.
    [[nodiscard]] virtual Result<std::vector<RoutingRule>> rules() const = 0;
};

}  // namespace fabric::host
