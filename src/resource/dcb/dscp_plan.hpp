// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "profile/settings.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/state.hpp"
#include "resource/step.hpp"

#include <map>
#include <set>
#include <vector>

namespace fabric::resource::dcb {

// What is listed, by DSCP: every priority it is listed with.
using DscpEntries = std::map<Dscp, std::set<std::uint8_t>>;
using DscpMap = std::map<Dscp, Priority>;

// The map that the profile wants, as far as it owns it: the entries by name, and the
// others by rule. Where a driver keeps unlisted DSCPs, those are left out.
[[nodiscard]] DscpMap targetMap(const profile::DcbSettings& wanted,
                                const DriverFacts& driver,
                                const DscpEntries& listed);

// How to get from the listed entries to the target: the fewest messages, in the order
// that the driver needs. Pure.
struct DscpPlan {
    DscpMap target;
    std::set<Dscp> different;  // not listed with exactly the wanted priority
    std::vector<DcbWrite> writes;
    bool flipsToDscp = false;  // the first write lists the first DSCP entry
    bool flipsToPcp = false;   // the list is empty of DSCPs at some point on the way
};

[[nodiscard]] DscpPlan planDscp(DscpMap target,
                                const DscpEntries& listed,
                                const std::set<Dscp>& owned,
                                const DriverFacts& driver,
                                IfIndex link);

// Deletes every DSCP entry, which on some drivers is how trust becomes PCP.
[[nodiscard]] std::vector<DcbWrite> deleteAll(const DscpEntries& listed, IfIndex link);

// The DSCPs that the profile names, `dscp-to-priority` or `lossless.dscp`.
[[nodiscard]] std::set<Dscp> ownedDscps(const profile::DcbSettings& wanted);

}  // namespace fabric::resource::dcb
