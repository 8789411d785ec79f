// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/hazards.hpp"

#include "base/text.hpp"
#include "inventory/link_graph.hpp"
#include "resource/arp/effective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace fabric::resource::arp {

namespace {

using host::Ipv4Key;

constexpr std::uint8_t kAddressBits = 32;
constexpr std::uint8_t kLoopbackNet = 127;
constexpr std::array<std::string_view, 3> kSoftwareKinds{"dummy", "bridge", "veth"};

// The addresses of one subnet as a range.
struct Subnet {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    const Place* place = nullptr;
};

Subnet subnetOf(const host::LinkAddress& address, const Place& place) {
    std::uint32_t number = 0;
    for (std::size_t at = 0; at < 4; ++at) {
        number = number << 8U | address.octets.at(at);
    }
    const unsigned hostBits =
        kAddressBits - std::min(address.prefixLength, kAddressBits);
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << hostBits) - 1U);
    return {.first = number & ~mask, .last = number | mask, .place = &place};
}

std::vector<Subnet> subnetsOf(std::span<const Place> places, const State& state) {
    std::map<IfIndex, const Place*> byLink;
    for (const Place& place : places) {
        byLink.emplace(place.interface->link, &place);
    }
    std::vector<Subnet> subnets;
    for (const host::LinkAddress& address : state.addresses) {
        if (const auto found = byLink.find(address.link); found != byLink.end()) {
            subnets.push_back(subnetOf(address, *found->second));
        }
    }
    std::ranges::sort(subnets, {}, &Subnet::first);
    return subnets;
}

// The interfaces that have an address in a subnet of another rail. Subnets nest or lie
// apart, so that a run of overlapping ranges is one subnet.
std::set<IfIndex> sharingSubnet(std::span<const Place> places, const State& state) {
    std::set<IfIndex> sharing;
    const std::vector<Subnet> subnets = subnetsOf(places, state);
    for (auto run = subnets.begin(); run != subnets.end();) {
        std::uint32_t last = run->last;
        std::set<std::string_view> rails;
        std::set<IfIndex> links;
        auto end = run;
        for (; end != subnets.end() && end->first <= last; ++end) {
            last = std::max(last, end->last);
            rails.insert(end->place->task->rail.name);
            links.insert(end->place->interface->link);
        }
        if (rails.size() > 1) {
            sharing.merge(links);
        }
        run = end;
    }
    return sharing;
}

Reading readingAt(const State& state, IfIndex link, Ipv4Key key) {
    const auto own = state.own.find(link);
    if (own == state.own.end() || !own->second.contains(key)) {
        return {};
    }
    return readingOf(key, own->second.at(key), state.all.at(key));
}

Finding strictFinding(const std::vector<std::string>& evidence, bool shared) {
    return {.id = "arp.strict-rp-filter",
            .severity = shared ? Severity::fail : Severity::warn,
            .summary =
                shared ? "strict reverse path filtering (rp_filter 1) on rails that "
                         "share a subnet: every rail but one is dead"
                       : "strict reverse path filtering (rp_filter 1) on a rail drops "
                         "what has its route back elsewhere and hides ARP flux until "
                         "somebody loosens it",
            .evidence = fmt::format("{}", fmt::join(evidence, "; ")),
            .fix =
                "set arp.rp-filter to 2 in the profile; where conf.all is 1, set it "
                "to 0 or 2 too"};
}

}  // namespace

std::vector<Finding> hazardsOf(std::span<const Place> places, const State& state) {
    const std::set<IfIndex> sharing = sharingSubnet(places, state);
    std::vector<std::string> strict;
    std::vector<std::string> filtering;
    bool strictShares = false;
    for (const Place& place : places) {
        const IfIndex link = place.interface->link;
        const bool shares = sharing.contains(link);
        const Reading reverse = readingAt(state, link, Ipv4Key::rpFilter);
        const Reading filter = readingAt(state, link, Ipv4Key::arpFilter);
        const std::string name = escapeForTerminal(place.interface->name);
        if (reverse.effective == 1) {
            strict.push_back(name + ": " + toText(reverse));
            strictShares = strictShares || shares;
        }
        if (filter.effective != 0 && shares) {
            filtering.push_back(name + ": " + toText(filter));
        }
    }
    std::vector<Finding> findings;
    if (!strict.empty()) {
        findings.push_back(strictFinding(strict, strictShares));
    }
    if (!filtering.empty()) {
        findings.push_back(
            {.id = "arp.arp-filter-shared-subnet",
             .severity = Severity::fail,
             .summary = "arp_filter is on and rails share a subnet: the address of one "
                        "rail resolves to another rail's MAC",
             .evidence = fmt::format("{}", fmt::join(filtering, "; ")),
             .fix = "set arp_filter to 0 on the rails and in conf.all"});
    }
    return findings;
}

std::vector<std::string> addressesAtRisk(std::span<const Place> places,
                                         const State& state,
                                         std::span<const host::Link> links) {
    std::map<IfIndex, const host::Link*> software;
    for (const host::Link& link : links) {
        if (inventory::isLoopback(link) ||
            std::ranges::find(kSoftwareKinds, link.kind) != kSoftwareKinds.end()) {
            software.emplace(link.index, &link);
        }
    }
    // A rail that is to stay as it is does not, when conf.all moves.
    for (const Place& place : places) {
        const auto link =
            std::ranges::find(links, place.interface->link, [](const host::Link& one) {
                return one.index;
            });
        if (place.mayBeWritten()) {
            software.erase(place.interface->link);
        } else if (link != links.end()) {
            software.emplace(link->index, &*link);
        }
    }
    std::vector<std::string> atRisk;
    for (const host::LinkAddress& address : state.addresses) {
        const auto link = software.find(address.link);
        if (link != software.end() && address.octets[0] != kLoopbackNet) {
            atRisk.push_back(fmt::format("{}.{}.{}.{} on {}",
                                         address.octets[0],
                                         address.octets[1],
                                         address.octets[2],
                                         address.octets[3],
                                         escapeForTerminal(link->second->name)));
        }
    }
    return atRisk;
}

}  // namespace fabric::resource::arp
