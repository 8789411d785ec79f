// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/evidence.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fabric::doctor {

// One address of a rail in whose network another rail is too.
struct SharedAddress {
    const RailEvidence* rail = nullptr;
    host::LinkAddress address;
};

// In the order of the rails. Link-local addresses have no network of their own.
[[nodiscard]] std::vector<SharedAddress> sharedAddresses(const Evidence& evidence);

// The links by which packets from `source` to its neighbours in this network leave, as
// rules and routes say (net/core/fib_rules.c, fib_rules_lookup): of a socket without a
// mark that is bound to no interface. Empty: by none, or it cannot be told. Pure.
[[nodiscard]] std::vector<IfIndex> departureOf(const RoutingEvidence& routing,
                                               const IpAddress& source,
                                               std::uint8_t prefixLength);

// Whether everything from the shared addresses of this rail leaves by it. False when
// there is none, and when routes and rules are not known.
[[nodiscard]] bool leavesByItself(const Evidence& evidence, const RailEvidence& rail);

}  // namespace fabric::doctor
