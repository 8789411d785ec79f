// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/dcb/driver.hpp"
#include "resource/dcb/state.hpp"

#include <optional>
#include <string>

namespace fabric::resource::dcb {

// By what a port lets trust be read and changed. A port has one; the first that is
// there counts, in this order.
enum class TrustVia {
    sysfs,          // /sys/class/net/IF/qos/trust
    appTrustTable,  // DCB_ATTR_DCB_APP_TRUST_TABLE: the first selector decides
    dscpEntries,    // a side effect of DSCP entries in the APP table
    fixedPcp,       // the hardware knows PCP only
    untold,         // the driver tells it nowhere
};

enum class TrustState { dscp, pcp, other };

struct TrustView {
    TrustVia via = TrustVia::untold;
    std::optional<TrustState> state;  // empty: could not be told
    std::string text;                 // "dscp", "pcp", or what else was read
    std::string problem;              // why there is no state
};

[[nodiscard]] TrustView trustOf(const State& state, const DriverFacts& driver);

// True when the host owns DCBX, empty when the driver does not tell.
[[nodiscard]] std::optional<bool> hostOwnsDcbx(const State& state);

}  // namespace fabric::resource::dcb
