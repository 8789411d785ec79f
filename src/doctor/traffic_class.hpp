// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "doctor/evidence.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fabric::doctor {

// What a server with MINIO_RDMA_INTERNODE_TRAFFIC_CLASS=0 (AUTO) makes of one port: it
// reads the PFC mask and the DSCP entries of the APP table over dcbnl, takes a DSCP
// whose priority has PFC, and uses DSCP << 2 as traffic class and the priority as
// service level.
struct AutoClass {
    std::string rail;
    std::string port;
    std::optional<Error> error;     // the port could not be asked
    std::set<Dscp> candidates;      // DSCPs on a priority that has PFC
    std::set<Priority> priorities;  // those priorities
    bool ownBlock = true;           // every candidate's DSCP >> 3 is its priority
    // Empty: best effort, or not defined by the host.
    std::optional<unsigned> trafficClass;
    std::optional<unsigned> serviceLevel;

    [[nodiscard]] bool bestEffort() const { return !error && candidates.empty(); }

    [[nodiscard]] bool ambiguous() const { return candidates.size() > 1; }

    // "traffic class 104, service level 3 (DSCP 26)", or why there is none.
    [[nodiscard]] std::string text() const;
};

// Of every physical port of every RoCE rail. Pure.
[[nodiscard]] std::vector<AutoClass> autoClasses(const Evidence& evidence);

}  // namespace fabric::doctor
