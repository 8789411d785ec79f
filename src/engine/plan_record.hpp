// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/history.hpp"
#include "engine/preparation.hpp"
#include "engine/report.hpp"

#include <span>
#include <string>
#include <vector>

namespace fabric::engine {

// One property of a plan: what was found when it was made.
struct PlannedProperty {
    std::string id;
    std::string state;  // "in-sync", "drifted", …
    Value wanted;
    Value found;
    bool operator==(const PlannedProperty&) const = default;
};

struct PlannedStep {
    std::string rail;     // "" host-wide
    std::string summary;  // for people
    std::string disturbs;
    std::vector<std::string> ids;
    std::string fingerprint;  // of its writes, see fingerprintOf()
    bool operator==(const PlannedStep&) const = default;
};

// A plan that was agreed to: what it was made of, what was seen then, what is to be
// done. Nothing is ever written from it: a run makes its own plan and compares.
struct PlanRecord {
    std::string made;  // RFC 3339, UTC
    std::string host;
    std::string bootId;
    std::vector<HashedFile> profile;  // itself first, then what it extends
    RunOptions run;                   // --only, --rail, --max-disruption, …
    std::vector<PlannedProperty> properties;
    std::vector<PlannedStep> steps;
    std::string observed;  // SHA-256 of everything that was found
};

// The properties and steps of a plan; the rest is the caller's. A neighbour entry about
// which nothing is to be done is left out: the cache goes on learning. Pure.
[[nodiscard]] PlanRecord recordPlan(std::span<const resource::Assessment> assessments,
                                    std::span<const resource::Step> steps);

// The same of the report of `plan`, whole. `profile` is hashesOf() its files.
[[nodiscard]] PlanRecord recordPlan(const Report& report,
                                    std::vector<HashedFile> profile,
                                    const RunOptions& run);

// What the host of today has that the plan has not, or otherwise: "dcb/rail1/pfc: was
// [3], is []". Empty: the plan still holds. Pure.
[[nodiscard]] std::vector<std::string> movedOn(const PlanRecord& was,
                                               const PlanRecord& now);

// Why a plan is not for this host, boot or profile as it is now; std::nullopt when it
// is. Pure.
[[nodiscard]] std::optional<Error> notForHere(const PlanRecord& plan,
                                              const inventory::Platform& platform);
[[nodiscard]] std::optional<Error> otherProfile(const PlanRecord& plan,
                                                const std::vector<HashedFile>& now);
[[nodiscard]] std::optional<Error> otherState(const PlanRecord& plan,
                                              const PlanRecord& now);

}  // namespace fabric::engine
