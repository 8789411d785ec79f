// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/routing.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace fabric::fake {

// Routes and rules as a test puts them.
class FakeRouting : public host::RoutingReader {
  public:
    host::Routes table;
    std::vector<host::RoutingRule> ruleList;
    std::optional<Error> error;  // answer of both

    [[nodiscard]] Result<host::Routes> routes() const override {
        return error ? Result<host::Routes>(fail(*error)) : table;
    }

    [[nodiscard]] Result<std::vector<host::RoutingRule>> rules() const override {
        return error ? Result<std::vector<host::RoutingRule>>(fail(*error)) : ruleList;
    }

    // What every kernel starts with, but for the table `local`.
    void addMainRule() {
        constexpr std::uint32_t kMainPriority = 32766;
        ruleList.push_back({.ipv6 = false,
                            .priority = kMainPriority,
                            .action = host::RuleAction::table,
                            .table = 254,
                            .from = std::nullopt,
                            .to = std::nullopt,
                            .inInterface = {},
                            .outInterface = {},
                            .suppressedLength = std::nullopt});
    }

    // The kernel's own route to the network of an address.
    void addConnected(IfIndex link, IpAddress network, std::uint8_t prefixLength) {
        table.routes.push_back({.type = host::RouteType::unicast,
                                .destination = network,
                                .prefixLength = prefixLength,
                                .table = 254,
                                .links = {link},
                                .gateway = std::nullopt,
                                .source = std::nullopt});
    }
};

}  // namespace fabric::fake
