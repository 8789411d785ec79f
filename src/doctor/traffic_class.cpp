// SPDX-License-Identifier: Apache-2.0
#include "doctor/traffic_class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fabric::doctor {

namespace {

constexpr unsigned kDscpShift = 2;
constexpr unsigned kBlockShift = 3;

void choose(const resource::dcb::State& state, AutoClass& seen) {
    const std::set<Priority> lossless =
        state.pfc ? state.pfc->priorities() : std::set<Priority>{};
    for (const auto& [dscp, priorities] : state.dscpEntries()) {
        for (const std::uint8_t number : priorities) {
            if (number >= kPriorityCount || !lossless.contains(Priority::of(number))) {
                continue;
            }
            seen.candidates.insert(dscp);
            seen.priorities.insert(Priority::of(number));
            seen.ownBlock = seen.ownBlock && dscp.number() >> kBlockShift == number;
        }
    }
    if (seen.priorities.size() != 1) {
        return;
    }
    seen.serviceLevel = seen.priorities.begin()->number();
    if (seen.candidates.size() == 1) {
        seen.trafficClass = unsigned{seen.candidates.begin()->number()} << kDscpShift;
    }
}

AutoClass classOf(const RailEvidence& rail, const engine::PortObservation& port) {
    AutoClass seen{.rail = rail.rail.name, .port = port.port.name};
    if (!port.dcb) {
        // A driver without DCB shows neither mask nor table.
        if (port.dcb.error().kind != ErrorKind::unsupported) {
            seen.error = port.dcb.error();
        }
        return seen;
    }
    if (!port.dcb->pfc || !port.dcb->apps) {
        seen.error = Error{.kind = ErrorKind::unsupported,
                           .action = "read PFC mask and DSCP table of",
                           .subject = port.port.name,
                           .sysErrno = 0,
                           .detail = "the driver does not tell them",
                           .advice = {}};
        return seen;
    }
    choose(*port.dcb, seen);
    return seen;
}

}  // namespace

std::string AutoClass::text() const {
    if (error) {
        return "unknown: " + error->message();
    }
    if (candidates.empty()) {
        return "best effort: no DSCP is mapped to a priority that has PFC";
    }
    std::vector<unsigned> numbers;
    std::ranges::transform(candidates, std::back_inserter(numbers), [](Dscp dscp) {
        return unsigned{dscp.number()};
    });
    if (!trafficClass && serviceLevel) {
        return fmt::format(
            "service level {}; the traffic class is DSCP << 2 of one of {}: which one "
            "is "
            "not defined by this host",
            *serviceLevel,
            fmt::join(numbers, ", "));
    }
    if (!trafficClass) {
        return fmt::format(
            "not defined by this host: DSCPs {} are on several priorities with PFC",
            fmt::join(numbers, ", "));
    }
    return fmt::format("traffic class {}, service level {} (DSCP {})",
                       *trafficClass,
                       *serviceLevel,
                       numbers.front());
}

std::vector<AutoClass> autoClasses(const Evidence& evidence) {
    std::vector<AutoClass> all;
    for (const RailEvidence& rail : evidence.rails) {
        if (!rail.rail.rdma) {
            continue;
        }
        for (const engine::PortObservation& port : rail.ports) {
            all.push_back(classOf(rail, port));
        }
    }
    return all;
}

}  // namespace fabric::doctor
