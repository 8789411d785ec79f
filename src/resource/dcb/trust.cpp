// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/trust.hpp"

namespace fabric::resource::dcb {

namespace {

TrustView named(TrustVia via, TrustState state, std::string text) {
    return {.via = via, .state = state, .text = std::move(text), .problem = {}};
}

TrustView fromSysfs(const SysfsQos& qos) {
    if (!qos.error.empty()) {
        return {.via = TrustVia::sysfs, .state = {}, .text = {}, .problem = qos.error};
    }
    const TrustState state = qos.trust == "dscp"  ? TrustState::dscp
                             : qos.trust == "pcp" ? TrustState::pcp
                                                  : TrustState::other;
    return named(TrustVia::sysfs, state, qos.trust);
}

TrustView fromTable(const std::vector<std::uint8_t>& selectors) {
    if (selectors.empty()) {
        return named(TrustVia::appTrustTable, TrustState::other, "none");
    }
    switch (selectors.front()) {
        case kSelectorDscp:
            return named(TrustVia::appTrustTable, TrustState::dscp, "dscp");
        case kSelectorPcp:
            return named(TrustVia::appTrustTable, TrustState::pcp, "pcp");
        default:
            return named(TrustVia::appTrustTable,
                         TrustState::other,
                         "selector " + std::to_string(selectors.front()));
    }
}

TrustView fromEntries(const State& state) {
    if (!state.apps) {
        return {.via = TrustVia::dscpEntries,
                .state = {},
                .text = {},
                .problem = "the answer carries no APP table"};
    }
    return state.dscpEntries().empty()
               ? named(TrustVia::dscpEntries, TrustState::pcp, "pcp")
               : named(TrustVia::dscpEntries, TrustState::dscp, "dscp");
}

}  // namespace

TrustView trustOf(const State& state, const DriverFacts& driver) {
    if (state.sysfs) {
        return fromSysfs(*state.sysfs);
    }
    if (state.appTrust) {
        return fromTable(*state.appTrust);
    }
    switch (driver.trustBy) {
        case TrustBy::dscpEntries:
            return fromEntries(state);
        case TrustBy::pcpOnly:
            return named(TrustVia::fixedPcp, TrustState::pcp, "pcp");
        case TrustBy::untold:
            break;
    }
    return {.via = TrustVia::untold,
            .state = {},
            .text = {},
            .problem =
                "neither the driver nor the kernel tells what is trusted (an APP "
                "trust table needs Linux 6.2 and a driver that has one)"};
}

std::optional<bool> hostOwnsDcbx(const State& state) {
    if (!state.dcbx) {
        return std::nullopt;
    }
    return (*state.dcbx & kDcbxHost) != 0 && (*state.dcbx & kDcbxManagedByAgent) == 0;
}

}  // namespace fabric::resource::dcb
