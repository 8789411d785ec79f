// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/selection.hpp"

namespace fabric::resource::acs {

namespace {

std::map<PciAddress, Below> countBelow(std::span<const Endpoint> endpoints) {
    std::map<PciAddress, Below> counts;
    for (const Endpoint& endpoint : endpoints) {
        for (const PciAddress bridge : endpoint.function->bridges) {
            Below& below = counts[bridge];
            ++(endpoint.kind == EndpointKind::gpu ? below.gpus : below.nics);
        }
    }
    return counts;
}

unsigned partners(const Below& below, EndpointKind kind) {
    return kind == EndpointKind::gpu ? below.nics : below.gpus;
}

// Adds the bridges between this endpoint and its partners. Partners get fewer on the
// way down; those below the root port and not below a bridge meet the endpoint above
// it.
void addBetween(const Endpoint& endpoint,
                const std::map<PciAddress, Below>& counts,
                std::map<PciAddress, Below>& between) {
    const auto& bridges = endpoint.function->bridges;
    if (bridges.empty()) {
        return;
    }
    const unsigned reachable = partners(counts.at(bridges.front()), endpoint.kind);
    for (const PciAddress bridge : bridges) {
        const Below& below = counts.at(bridge);
        if (partners(below, endpoint.kind) < reachable) {
            between.emplace(bridge, below);
        }
    }
}

}  // namespace

std::map<PciAddress, Below> selectBridges(std::span<const Endpoint> endpoints,
                                          profile::AcsScope scope) {
    std::map<PciAddress, Below> counts = countBelow(endpoints);
    if (scope == profile::AcsScope::upstream) {
        return counts;
    }
    std::map<PciAddress, Below> between;
    for (const Endpoint& endpoint : endpoints) {
        addBetween(endpoint, counts, between);
    }
    return between;
}

}  // namespace fabric::resource::acs
