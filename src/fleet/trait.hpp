// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/rule.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace fabric::fleet {

// Something that every host of a fleet has once, or once per rail, and that should be
// the same on all of them.
enum class Trait : std::uint8_t {
    rails,
    pfc,
    trust,
    dscpMap,
    buffer,
    bufferSize,
    ecn,
    ets,
    pause,
    mtu,
    pathMtu,
    autoClass,
    rdmaCmTos,
    arp,
    state,
    speed,
    linkLayer,
    rdmaDevice,
    driver,
    firmware,
    kernel,
    service,
    program,
    release,
    fabricRelease,
    internode,
    trafficClass,
    queueSize,
    profile,
};

// With what a value is compared. `fabric`: the same rail of other hosts, and hosts as
// wholes whatever their rails are called. `model`: adapters of one kind.
enum class Scope : std::uint8_t { host, rail, fabric, model };

struct TraitInfo {
    Trait trait;
    std::string_view id;       // "pfc"
    doctor::Verdict severity;  // fail or warn
    Scope scope;
    std::string_view what;  // "priorities with PFC"
    std::string_view fix;   // what makes a host like the others
    // A difference in one of these on the same rail explains a difference in this one.
    std::array<std::optional<Trait>, 2> follows = {};
};

// One line per trait, in the order of the enumeration.
[[nodiscard]] std::span<const TraitInfo> traitTable();
[[nodiscard]] const TraitInfo& infoOf(Trait trait);

}  // namespace fabric::fleet
