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

Judgement ofRoce(const Evidence& evidence, std::string_view what) {
    return hasLayer(evidence, host::LinkLayer::ethernet)
               ? notObserved(what)
               : notApplicable("there is no RoCE rail");
}

Judgement ofRails(const Evidence& evidence, std::string_view what) {
    return evidence.rails.size() > 1 ? notObserved(what)
                                     : notApplicable("there are not two rails");
}

// A unit of this host is in no container.
Judgement judgeContainer(const Evidence& evidence) {
    if (!evidence.server.state) {
        return unreadable(evidence.server.state.error());
    }
    return evidence.server.state->unit.loadState == "not-found"
               ? notObserved("servers in containers")
               : notApplicable(evidence.server.unit + " is a unit of this host");
}

Judgement judgeDomain(const Evidence& evidence) {
    return ofRails(evidence, "the wire (fabricctl status --probe-l2 asks it)");
}

Judgement judgeIndex(const Evidence& evidence) {
    return ofRoce(evidence, "GID indexes of an earlier look");
}

Judgement judgeCabling(const Evidence& evidence) {
    return ofRails(evidence, "LLDP");
}

Judgement judgeReleases(const Evidence& evidence) {
    return hasLayer(evidence, host::LinkLayer::infiniband)
               ? notObserved("the releases of other nodes")
               : notApplicable("there is no InfiniBand rail");
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "memlock.container",
     .worst = Verdict::fail,
     .cause = "a container runtime caps locked memory",
     .source = "experience",
     .look = "grep -E 'CapEff' /proc/PID/status; grep 'Max locked' /proc/PID/limits",
     .fix = "raise the runtime's limit, or give the process CAP_IPC_LOCK effectively",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeContainer,
     .unobserved = "servers in containers"},
    {.id = "arp.shared_l2",
     .worst = Verdict::warn,
     .cause = "rails share one broadcast domain",
     .source = "Configure the RDMA fabric: multi-rail hosts",
     .look = "fabricctl status --probe-l2",
     .fix = "a VLAN or a switch for each rail, or the ARP settings on every node",
     .action = "fabricctl apply --only arp,neighbour",
     .restart = Restart::none,
     .judge = judgeDomain,
     .unobserved = "the wire, unless status --probe-l2 asks it"},
    {.id = "gid.index_move",
     .worst = Verdict::warn,
     .cause = "the GID index of an address moved",
     .source = "experience",
     .look = "show_gids, before and after a link flap",
     .fix = "look GIDs up by address, never by a fixed index",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeIndex,
     .unobserved = "GID indexes of an earlier look"},
    {.id = "rail.cabling",
     .worst = Verdict::warn,
     .cause = "a rail is cabled to another switch than its fellows",
     .source = "experience",
     .look = "lldpctl",
     .fix = "swap the cables",
     .action = {},
     .restart = Restart::none,
     .judge = judgeCabling,
     .unobserved = "LLDP"},
    {.id = "lid.release",
     .worst = Verdict::warn,
     .cause = "nodes of an InfiniBand fabric run different releases of the server",
     .source = "Configure the RDMA fabric: InfiniBand",
     .look = "mc admin info ALIAS",
     .fix = "the same release on every node",
     .action = {},
     .restart = Restart::allNodes,
     .judge = judgeReleases,
     .unobserved = "the releases of other nodes"},
});

}  // namespace

std::span<const Rule> unobservedRules() {
    return kRules;
}

}  // namespace fabric::doctor
