// SPDX-License-Identifier: Apache-2.0
// What this host has learned of its peers.
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace fabric::doctor {

namespace {

using host::NeighbourState;

// Name of the rail that this link belongs to, "" none.
std::string railOf(const Evidence& evidence, IfIndex link) {
    for (const RailEvidence& rail : evidence.rails) {
        if (std::ranges::find(
                rail.rail.interfaces, link, &inventory::RailInterface::link) !=
            rail.rail.interfaces.end()) {
            return rail.rail.name;
        }
    }
    return {};
}

// Entries that count: on a rail, with a MAC, learned or written by a person.
std::vector<std::pair<std::string, const host::Neighbour*>> entriesOf(
    const Evidence& evidence) {
    std::vector<std::pair<std::string, const host::Neighbour*>> entries;
    for (const host::Neighbour& entry : *evidence.neighbours) {
        std::string rail = railOf(evidence, entry.key.link);
        const bool counts = entry.mac && !entry.proxy && !entry.externLearned &&
                            !entry.managed && !entry.key.address.isMulticast() &&
                            !entry.key.address.isLinkLocal();
        if (!rail.empty() && counts) {
            entries.emplace_back(std::move(rail), &entry);
        }
    }
    return entries;
}

// Against the inventory of peers, which the check of the profile has done.
std::optional<Judgement> judgeByProfile(const Evidence& evidence) {
    if (!evidence.check) {
        return std::nullopt;
    }
    Judged entries;
    for (const engine::ResourceReport& report : evidence.check->resources) {
        const resource::Assessment& one = report.assessment;
        // "neighbour/RAIL/ADDRESS"; a flush that is due has no address.
        if (one.kind != resource::Kind::neighbour ||
            std::ranges::count(one.id, '/') < 2) {
            continue;
        }
        const bool wrong = report.outcome == engine::Outcome::drifted ||
                           report.outcome == engine::Outcome::failed;
        entries.add(one.id,
                    wrong ? failed(one.wanted, one.found, one.reason)
                    : report.outcome == engine::Outcome::inSync
                        ? passed(one.wanted, one.found)
                        : notApplicable(one.reason));
    }
    Judgement judgement = entries.worst("");
    return judgement.verdict == Verdict::notApplicable ? std::nullopt
                                                       : std::optional(judgement);
}

// One MAC for addresses on several rails: a single-NIC peer has that by right.
Judgement judgeBySight(const Evidence& evidence) {
    struct Sighting {
        std::set<std::string> rails;
        std::set<IpAddress> addresses;
    };

    std::map<MacAddress, Sighting> byMac;
    for (const auto& [rail, entry] : entriesOf(evidence)) {
        byMac[*entry->mac].rails.insert(rail);
        byMac[*entry->mac].addresses.insert(entry->key.address);
    }
    const Value expected = "a MAC of its own for each address of a peer";
    for (const auto& [mac, seen] : byMac) {
        if (seen.rails.size() > 1 && seen.addresses.size() > 1) {
            Judgement judgement =
                warned(expected,
                       fmt::format("{} for {} addresses on {}",
                                   mac.text(),
                                   seen.addresses.size(),
                                   fmt::join(seen.rails, ", ")),
                       "a hint, no proof: a peer answers on the wrong rail, or has "
                       "one interface only");
            judgement.where.assign(seen.rails.begin(), seen.rails.end());
            return judgement;
        }
    }
    return inconclusive(
        "without an inventory of peers (fabricctl peers export, neighbours.peers-from) "
        "nobody says which MAC is right");
}

Judgement judgeWrongRail(const Evidence& evidence) {
    if (!evidence.neighbours) {
        return unreadable(evidence.neighbours.error());
    }
    if (evidence.railsError) {
        return unreadable(*evidence.railsError);
    }
    if (evidence.rails.size() < 2) {
        return notApplicable("there are not two rails");
    }
    const auto judged = judgeByProfile(evidence);
    return judged ? *judged : judgeBySight(evidence);
}

Judgement judgeStatic(const Evidence& evidence) {
    if (!evidence.neighbours) {
        return unreadable(evidence.neighbours.error());
    }
    std::vector<std::string> fixed;
    std::vector<std::string> where;
    for (const auto& [rail, entry] : entriesOf(evidence)) {
        if (entry->state == NeighbourState::permanent ||
            entry->state == NeighbourState::noArp) {
            fixed.push_back(fmt::format("{} on {}", entry->key.address.text(), rail));
            where.push_back(
                fmt::format("neighbour/{}/{}", rail, entry->key.address.text()));
        }
    }
    const Value expected = "no static entries on rails";
    if (fixed.empty()) {
        return passed(expected, "none");
    }
    Judgement judgement =
        warned(expected,
               fmt::format("{}", fmt::join(fixed, ", ")),
               "a flush leaves them, and they stay when an adapter is replaced");
    judgement.where = std::move(where);
    return judgement;
}

Judgement judgeStale(const Evidence& evidence) {
    if (!evidence.server.state) {
        return unreadable(evidence.server.state.error());
    }
    if (!evidence.server.start) {
        return notApplicable(evidence.server.unit + " does not run");
    }
    const Value expected = "started after the ARP settings";
    return evidence.server.start->arpChangedSince
               ? warned(expected,
                        "started before",
                        "its connections keep the MAC addresses that they began with")
               : passed(expected, expected);
}

Judgement judgeOverflow(const Evidence& evidence) {
    if (!evidence.neighbours) {
        return unreadable(evidence.neighbours.error());
    }
    if (!evidence.neighbourTable) {
        const Error& error = evidence.neighbourTable.error();
        return error.kind == ErrorKind::notFound
                   ? notApplicable("the limits belong to another network namespace")
                   : unreadable(error);
    }
    if (const auto& later = evidence.laterNeighbourTable;
        later && *later && (*later)->fulls > evidence.neighbourTable->fulls) {
        return failed(
            "no rise of table_fulls",
            static_cast<std::int64_t>((*later)->fulls - evidence.neighbourTable->fulls),
            "the neighbour table is full: peers cannot be resolved");
    }
    const std::uint64_t limit = evidence.neighbourTable->limit;
    const std::uint64_t count = evidence.neighbours->size();
    constexpr std::uint64_t kPercent = 100;
    constexpr std::uint64_t kFull = 80;
    const Value expected =
        fmt::format("less than {} % of gc_thresh3 ({})", kFull, limit);
    const Value found = fmt::format("{} entries", count);
    return limit != 0 && count * kPercent > limit * kFull
               ? warned(expected, found, "new peers cannot be resolved when it is full")
               : passed(expected, found);
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "arp.wrong_rail",
     .worst = Verdict::fail,
     .cause = "a peer's address is cached with the MAC of another rail",
     .source = "Troubleshoot RDMA: multi-rail host",
     .look = "ip neigh show dev {interface}; on the peer: ip -brief link show",
     .fix = "apply on every peer first, then here, then restart everywhere",
     .action = "{apply} --only arp,neighbour",
     .restart = Restart::allNodes,
     .judge = judgeWrongRail},
    {.id = "arp.static",
     .worst = Verdict::warn,
     .cause = "static neighbour entries survive every flush",
     .source = "Configure the RDMA fabric: multi-rail hosts",
     .look = "ip neigh show dev {interface} nud permanent; ip neigh show dev "
             "{interface} nud noarp",
     .fix = "ip neigh del {neighbour} dev {interface}, where it is not wanted",
     .action = "{apply} --only neighbour (with static: delete)",
     .restart = Restart::allNodes,
     .judge = judgeStatic},
    {.id = "ah.stale",
     .worst = Verdict::warn,
     .cause = "the server's connections are older than the repaired ARP settings",
     .source = "Troubleshoot RDMA: multi-rail host",
     .look = "systemctl show {unit} --property=ActiveEnterTimestamp; stat -c %y "
             "/etc/sysctl.d/99-zz-fabricctl.conf",
     .fix = "restart the server on every node when all caches are right",
     .action = {},
     .restart = Restart::allNodes,
     .judge = judgeStale},
    {.id = "neigh.overflow",
     .worst = Verdict::fail,
     .cause = "the neighbour table is full, or nearly",
     .source = "experience",
     .look = "ip neigh show | wc -l; sysctl net.ipv4.neigh.default.gc_thresh3; "
             "cat /proc/net/stat/arp_cache",
     .fix = "raise net.ipv4.neigh.default.gc_thresh3",
     .action = {},
     .restart = Restart::none,
     .judge = judgeOverflow},
});

}  // namespace

std::span<const Rule> neighbourRules() {
    return kRules;
}

}  // namespace fabric::doctor
