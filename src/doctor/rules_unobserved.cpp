// SPDX-License-Identifier: Apache-2.0
// Causes that this version has no look at. They stand in the table so that a walk
// through a symptom is complete, and say so.
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/rules.hpp"

#include <algorithm>
#include <array>

namespace fabric::doctor {

namespace {

Judgement notObserved(std::string_view what) {
    return inconclusive("not observed by this version: " + std::string(what));
}

bool hasLayer(const Evidence& evidence, host::LinkLayer layer) {
    return std::ranges::any_of(evidence.rails, [&](const RailEvidence& rail) {
        return rail.rail.rdma && rail.rail.rdma->linkLayer == layer;
    });
}

Judgement ofRails(const Evidence& evidence, std::string_view what) {
    return evidence.rails.size() > 1 ? notObserved(what)
                                     : notApplicable("there are not two rails");
}

Judgement judgeCabling(const Evidence& evidence) {
    return ofRails(evidence, "LLDP, which says the switch and port at the other end");
}

Judgement judgeReleases(const Evidence& evidence) {
    return hasLayer(evidence, host::LinkLayer::infiniband)
               ? notObserved(
                     "the releases of other nodes (fabricctl fleet check has them)")
               : notApplicable("there is no InfiniBand rail");
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "rail.cabling",
     .worst = Verdict::warn,
     .cause = "a rail is cabled to another switch than its fellows",
     .source = "experience",
     .look = "lldpctl",
     .fix = "swap the cables",
     .action = {},
     .restart = Restart::none,
     .judge = judgeCabling,
     .unobserved = "LLDP, which says the switch and port at the other end"},
    {.id = "lid.release",
     .worst = Verdict::warn,
     .cause = "nodes of an InfiniBand fabric run different releases of the server",
     .source = "Configure the RDMA fabric: InfiniBand",
     .look = "mc admin info ALIAS; fabricctl fleet check FACTS_OF_ALL_NODES",
     .fix = "the same release on every node",
     .action = {},
     .restart = Restart::allNodes,
     .judge = judgeReleases,
     .unobserved = "the releases of other nodes, which fleet check compares"},
});

}  // namespace

std::span<const Rule> unobservedRules() {
    return kRules;
}

}  // namespace fabric::doctor
