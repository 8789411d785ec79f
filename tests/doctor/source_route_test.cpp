// SPDX-License-Identifier: Apache-2.0
// What leaves from an address, as rules and routes say.
#include "doctor/source_route.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace fabric::doctor {
namespace {

using host::Route;
using host::RouteType;
using host::RoutingRule;
using host::RuleAction;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr IfIndex kFirst{10};
constexpr IfIndex kSecond{11};
constexpr std::uint32_t kMain = 254;
constexpr std::uint32_t kOwn = 1001;
const IpAddress kSource = IpAddress::v4(10, 0, 0, 2);
const IpAddress kNetwork = IpAddress::v4(10, 0, 0, 0);

Route routeBy(IfIndex link, std::uint32_t table = kMain) {
    Route route;
    route.type = RouteType::unicast;
    route.destination = kNetwork;
    route.prefixLength = 24;
    route.table = table;
    route.links = {link};
    return route;
}

RoutingRule ruleFor(std::uint32_t priority, std::uint32_t table) {
    RoutingRule rule;
    rule.priority = priority;
    rule.action = RuleAction::table;
    rule.table = table;
    return rule;
}

RoutingRule fromSource(std::uint32_t priority, std::uint32_t table) {
    RoutingRule rule = ruleFor(priority, table);
    rule.from = kSource;
    rule.fromLength = 32;
    return rule;
}

class SourceRoute : public ::testing::Test {
  protected:
    SourceRoute() {
        seen.routes.routes = {routeBy(kFirst), routeBy(kSecond, kOwn)};
        seen.rules = {ruleFor(32766, kMain)};
    }

    void before(RoutingRule rule) {
        seen.rules.insert(seen.rules.end() - 1, std::move(rule));
    }

    [[nodiscard]] std::vector<IfIndex> departure() const {
        return departureOf(seen, kSource, 24);
    }

    RoutingEvidence seen;
};

TEST_F(SourceRoute, without_a_rule_of_its_own_the_main_table_decides) {
    EXPECT_THAT(departure(), ElementsAre(kFirst));
}

TEST_F(SourceRoute, a_rule_for_the_address_sends_it_out_by_its_own_rail) {
    before(fromSource(100, kOwn));
    EXPECT_THAT(departure(), ElementsAre(kSecond));
}

TEST_F(SourceRoute, a_rule_for_another_address_does_not) {
    RoutingRule other = fromSource(100, kOwn);
    other.from = IpAddress::v4(10, 0, 0, 3);
    before(other);
    EXPECT_THAT(departure(), ElementsAre(kFirst));
    seen.rules.front().inverted = true;
    EXPECT_THAT(departure(), ElementsAre(kSecond)) << "everything but that address";
}

TEST_F(SourceRoute, rules_for_marked_packets_or_bound_sockets_are_not_for_it) {
    for (const auto& change : std::vector<std::function<void(RoutingRule&)>>{
             [](RoutingRule& rule) { rule.selective = true; },
             [](RoutingRule& rule) { rule.outInterface = "rail1"; },
             [](RoutingRule& rule) { rule.inInterface = "rail1"; },
             [](RoutingRule& rule) { rule.ipv6 = true; },
             [](RoutingRule& rule) { rule.action = RuleAction::other; }}) {
        seen.rules = {fromSource(100, kOwn), ruleFor(32766, kMain)};
        change(seen.rules.front());
        EXPECT_THAT(departure(), ElementsAre(kFirst));
    }
    seen.rules.front() = fromSource(100, kOwn);
    seen.rules.front().inInterface = "lo";
    EXPECT_THAT(departure(), ElementsAre(kSecond)) << "what is sent here comes from lo";
}

TEST_F(SourceRoute, a_table_without_a_route_to_the_network_passes_on) {
    before(fromSource(100, 77));
    EXPECT_THAT(departure(), ElementsAre(kFirst));
}

TEST_F(SourceRoute, a_default_route_of_the_own_table_will_do_unless_suppressed) {
    Route everywhere = routeBy(kSecond, 77);
    everywhere.destination = IpAddress{};
    everywhere.prefixLength = 0;
    seen.routes.routes.push_back(everywhere);
    before(fromSource(100, 77));
    EXPECT_THAT(departure(), ElementsAre(kSecond));
    seen.rules.front().suppressedLength = 0;
    EXPECT_THAT(departure(), ElementsAre(kFirst));
}

TEST_F(SourceRoute, the_longest_prefix_then_the_smallest_metric) {
    Route worse = routeBy(kSecond);
    worse.metric = 100;
    seen.routes.routes.push_back(worse);
    EXPECT_THAT(departure(), ElementsAre(kFirst));
    Route wide = routeBy(kSecond);
    wide.prefixLength = 16;
    seen.routes.routes = {wide, routeBy(kFirst)};
    EXPECT_THAT(departure(), ElementsAre(kFirst));
    Route narrow = routeBy(kSecond);
    narrow.prefixLength = 25;
    seen.routes.routes = {narrow, routeBy(kFirst)};
    EXPECT_THAT(departure(), ElementsAre(kFirst)) << "half of the network is not it";
}

TEST_F(SourceRoute, what_is_refused_leaves_by_nothing) {
    before(fromSource(100, kOwn));
    seen.rules.front().action = RuleAction::refused;
    EXPECT_THAT(departure(), IsEmpty());
    seen.rules.front() = fromSource(100, kOwn);
    seen.routes.routes.back().type = RouteType::refused;
    seen.routes.routes.back().links.clear();
    EXPECT_THAT(departure(), IsEmpty());
}

TEST_F(SourceRoute, a_thrown_route_and_a_rule_that_does_nothing_pass_on) {
    before(fromSource(100, kOwn));
    seen.routes.routes.back().type = RouteType::thrown;
    EXPECT_THAT(departure(), ElementsAre(kFirst));
    seen.rules.front().action = RuleAction::nothing;
    EXPECT_THAT(departure(), ElementsAre(kFirst));
}

TEST_F(SourceRoute, a_jump_leaves_rules_out) {
    RoutingRule jump = ruleFor(50, 0);
    jump.action = RuleAction::jump;
    jump.jumpTo = 200;
    seen.rules = {jump, fromSource(100, kOwn), ruleFor(32766, kMain)};
    EXPECT_THAT(departure(), ElementsAre(kFirst));
}

TEST_F(SourceRoute, without_any_rule_nothing_is_known) {
    seen.rules.clear();
    EXPECT_THAT(departure(), IsEmpty());
}

}  // namespace
}  // namespace fabric::doctor
