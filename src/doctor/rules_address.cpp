// SPDX-License-Identifier: Apache-2.0
// Whose address answers on which rail.
#include "base/text.hpp"
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/rules.hpp"
#include "doctor/source_route.hpp"
#include "resource/arp/boot_value.hpp"
#include "resource/arp/effective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace fabric::doctor {

namespace {

namespace arp = resource::arp;
using host::Ipv4Key;

// One interface of a rail that owns an IPv4 address.
struct Place {
    const RailEvidence* rail = nullptr;
    IfIndex link;
    std::string name;
};

std::vector<Place> placesOf(const Evidence& evidence) {
    std::vector<Place> places;
    for (const RailEvidence& rail : evidence.rails) {
        for (const inventory::RailInterface& interface : rail.rail.interfaces) {
            const bool owns = std::ranges::any_of(
                rail.addresses, [&](const host::LinkAddress& address) {
                    return !address.ipv6 && address.link == interface.link;
                });
            if (owns) {
                places.push_back(
                    {.rail = &rail, .link = interface.link, .name = interface.name});
            }
        }
    }
    return places;
}

std::size_t railCount(const std::vector<Place>& places) {
    std::set<const RailEvidence*> rails;
    for (const Place& place : places) {
        rails.insert(place.rail);
    }
    return rails.size();
}

arp::Reading readingAt(const arp::State& state, IfIndex link, Ipv4Key key) {
    const auto own = state.own.find(link);
    const auto value = own == state.own.end()      ? 0
                       : own->second.contains(key) ? own->second.at(key)
                                                   : 0;
    return arp::readingOf(key, value, state.all.contains(key) ? state.all.at(key) : 0);
}

// Why nothing can be told of ARP here; empty: it can.
std::optional<Judgement> withoutArp(const Evidence& evidence) {
    if (evidence.railsError) {
        return unreadable(*evidence.railsError);
    }
    if (!evidence.arp) {
        return unreadable(evidence.arp.error());
    }
    if (railCount(placesOf(evidence)) < 2) {
        return notApplicable("fewer than two rails have an IPv4 address");
    }
    return std::nullopt;
}

// Values of net/ipv4/arp.c: 1 and 2 keep to the interface, 8 never answers, others
// answer for other rails too; announcing, only 2 takes the best address.
bool ignoresOthers(std::int32_t effective) {
    return effective == 1 || effective == 2;
}

// A file that sets this cures a live value that differs: it is arp.sysctl that says so.
bool isRight(Ipv4Key key, std::int32_t effective) {
    return key == Ipv4Key::arpIgnore ? ignoresOthers(effective) : effective == 2;
}

// A profile that owns these settings has chosen where they stand.
bool isOwned(const Evidence& evidence, const std::string& link) {
    return evidence.check &&
           std::ranges::any_of(
               evidence.check->resources, [&](const engine::ResourceReport& report) {
                   return report.assessment.kind == resource::Kind::arp &&
                          report.assessment.device == link;
               });
}

// Right, but by what holds for every interface of the host.
bool onlyByAll(const arp::Reading& ignore, const arp::Reading& announce) {
    return !ignoresOthers(ignore.own) || announce.own != 2;
}

Judgement judgeReadings(const arp::Reading& ignore,
                        const arp::Reading& announce,
                        bool owned) {
    const Value expected = "arp_ignore 1 or 2, arp_announce 2";
    const Value found = fmt::format(
        "arp_ignore {} (own {}, all {}), arp_announce {} "
        "(own {}, all {})",
        ignore.effective,
        ignore.own,
        ignore.all,
        announce.effective,
        announce.own,
        announce.all);
    if (!ignoresOthers(ignore.effective)) {
        return failed(expected,
                      found,
                      "it " + arp::meaningOf(Ipv4Key::arpIgnore, ignore.effective));
    }
    if (announce.effective != 2) {
        const std::string reason =
            "it " + arp::meaningOf(Ipv4Key::arpAnnounce, announce.effective);
        return announce.effective == 1 ? warned(expected, found, reason)
                                       : failed(expected, found, reason);
    }
    return onlyByAll(ignore, announce) && !owned
               ? warned(expected,
                        found,
                        "it comes from conf.all only, which changes every other "
                        "interface of this host too")
               : passed(expected, found);
}

Judgement judgeArp(const Evidence& evidence) {
    if (auto without = withoutArp(evidence)) {
        return *without;
    }
    Judged all;
    for (const Place& place : placesOf(evidence)) {
        all.add(
            place.name,
            judgeReadings(readingAt(*evidence.arp, place.link, Ipv4Key::arpIgnore),
                          readingAt(*evidence.arp, place.link, Ipv4Key::arpAnnounce),
                          isOwned(evidence, place.name)));
    }
    return all.worst("no rail has an IPv4 address");
}

// Names of the rails that share a subnet with another one, but for those whose traffic
// leaves by themselves, which is as good as a subnet of their own.
std::set<std::string> sharing(const Evidence& evidence) {
    std::set<std::string> names;
    for (const SharedAddress& shared : sharedAddresses(evidence)) {
        if (!leavesByItself(evidence, *shared.rail)) {
            names.insert(shared.rail->rail.name);
        }
    }
    return names;
}

// The rail that this link belongs to; nullptr: none.
const RailEvidence* railAt(const Evidence& evidence, IfIndex link) {
    for (const RailEvidence& rail : evidence.rails) {
        if (std::ranges::find(
                rail.rail.interfaces, link, &inventory::RailInterface::link) !=
            rail.rail.interfaces.end()) {
            return &rail;
        }
    }
    return nullptr;
}

// A MAC that was learned on two rails was heard on both.
std::string heardTwice(const Evidence& evidence) {
    std::map<MacAddress, std::string> heard;
    for (const host::Neighbour& entry : *evidence.neighbours) {
        const bool learned = entry.mac && !entry.proxy && !entry.externLearned &&
                             entry.state != host::NeighbourState::permanent &&
                             entry.state != host::NeighbourState::noArp &&
                             !entry.key.address.isMulticast();
        const RailEvidence* const rail = railAt(evidence, entry.key.link);
        if (!learned || rail == nullptr) {
            continue;
        }
        const auto [first, isNew] = heard.emplace(*entry.mac, rail->rail.name);
        if (!isNew && first->second != rail->rail.name) {
            return fmt::format("{} is heard on {} and {}",
                               entry.mac->text(),
                               first->second,
                               rail->rail.name);
        }
    }
    return {};
}

// The MAC of one rail among what another one has heard.
std::string heardOwn(const Evidence& evidence) {
    const auto links = evidence.links.value_or(std::vector<host::Link>{});
    for (const host::Neighbour& entry : *evidence.neighbours) {
        const RailEvidence* const there = railAt(evidence, entry.key.link);
        if (!entry.mac || there == nullptr) {
            continue;
        }
        for (const host::Link& link : links) {
            const RailEvidence* const own = railAt(evidence, link.index);
            if (own != nullptr && own != there && link.mac == entry.mac) {
                return fmt::format("{} hears {}", there->rail.name, own->rail.name);
            }
        }
    }
    return {};
}

// What shows that two rails hear each other; "" nothing that this host has seen.
std::string sharedSign(const Evidence& evidence) {
    if (const auto shared = sharedAddresses(evidence); !shared.empty()) {
        std::set<std::string> names;
        for (const SharedAddress& one : shared) {
            names.insert(one.rail->rail.name);
        }
        return fmt::format("{} are in one subnet", fmt::join(names, " and "));
    }
    std::string sign = heardOwn(evidence);
    return sign.empty() ? heardTwice(evidence) : sign;
}

// Shared or not, rails that answer for themselves only are kept apart.
Judgement judgeDomain(const Evidence& evidence) {
    if (auto without = withoutArp(evidence)) {
        return *without;
    }
    if (!evidence.neighbours) {
        return unreadable(evidence.neighbours.error());
    }
    const Value expected = "rails that do not hear each other, or the ARP settings";
    const std::string sign = sharedSign(evidence);
    if (judgeArp(evidence).verdict != Verdict::fail) {
        return passed(
            expected,
            sign.empty() ? "the ARP settings" : "the ARP settings, and " + sign);
    }
    return sign.empty()
               ? inconclusive(
                     "nothing that this host has heard tells; fabricctl status "
                     "--probe-l2 asks the wire")
               : warned(expected,
                        sign,
                        "each rail answers for the addresses of the others where they "
                        "hear each other");
}

std::string namesOf(const Evidence& evidence, std::span<const IfIndex> links) {
    std::vector<std::string> names;
    const auto all = evidence.links.value_or(std::vector<host::Link>{});
    for (const IfIndex index : links) {
        const auto found = std::ranges::find(all, index, &host::Link::index);
        names.push_back(found != all.end() ? found->name
                                           : fmt::format("interface {}", index.number));
    }
    return names.empty() ? "nowhere" : fmt::format("{}", fmt::join(names, " and "));
}

Judgement judgeDeparture(const Evidence& evidence, const SharedAddress& shared) {
    const IpAddress source{.ipv6 = shared.address.ipv6,
                           .octets = shared.address.octets};
    const auto links =
        departureOf(**evidence.routing, source, shared.address.prefixLength);
    const IfIndex own = shared.address.link;
    const Value expected = fmt::format(
        "from {} by {}", source.text(), namesOf(evidence, std::span(&own, 1)));
    const Value found =
        fmt::format("from {} by {}", source.text(), namesOf(evidence, links));
    if (links == std::vector{own}) {
        return passed(expected, found);
    }
    if (links.empty() && (*evidence.routing)->routes.left != 0) {
        return inconclusive("there are more routes than are looked at");
    }
    return warned(expected,
                  found,
                  "rails share a subnet, and no rule sends what is from this address "
                  "out by its own rail");
}

Judgement judgeOverlap(const Evidence& evidence) {
    if (evidence.railsError) {
        return unreadable(*evidence.railsError);
    }
    const auto shared = sharedAddresses(evidence);
    if (shared.empty()) {
        return evidence.rails.size() < 2
                   ? notApplicable("there are not two rails")
                   : passed("a subnet for each rail", "a subnet for each rail");
    }
    if (!evidence.routing) {
        return inconclusive(
            "rails share a subnet, which needs a rule per source address; these facts "
            "were taken by a fabricctl that did not look at rules and routes");
    }
    if (!*evidence.routing) {
        return unreadable(evidence.routing->error());
    }
    Judged all;
    for (const SharedAddress& one : shared) {
        all.add(one.rail->rail.name, judgeDeparture(evidence, one));
    }
    return all.worst({});
}

Judgement judgeReverse(const Evidence& evidence) {
    if (auto without = withoutArp(evidence)) {
        return *without;
    }
    const auto names = sharing(evidence);
    Judged all;
    for (const Place& place : placesOf(evidence)) {
        const auto reading = readingAt(*evidence.arp, place.link, Ipv4Key::rpFilter);
        const Value expected = "0 or 2";
        const Value found = std::int64_t{reading.effective};
        if (reading.effective != 1) {
            all.add(place.name, passed(expected, found));
        } else if (names.contains(place.rail->rail.name)) {
            all.add(place.name,
                    failed(expected,
                           found,
                           "strict reverse path filtering leaves one rail of a subnet "
                           "alive"));
        } else {
            all.add(place.name,
                    warned(expected,
                           found,
                           "strict reverse path filtering drops what has its route "
                           "back elsewhere"));
        }
    }
    return all.worst("no rail has an IPv4 address");
}

Judgement judgeFilter(const Evidence& evidence) {
    if (auto without = withoutArp(evidence)) {
        return *without;
    }
    const auto names = sharing(evidence);
    Judged all;
    for (const Place& place : placesOf(evidence)) {
        const auto reading = readingAt(*evidence.arp, place.link, Ipv4Key::arpFilter);
        const Value found = std::int64_t{reading.effective};
        const bool harms =
            reading.effective != 0 && names.contains(place.rail->rail.name);
        all.add(place.name,
                harms ? failed(0,
                               found,
                               "with one subnet on several rails every address "
                               "resolves to the rail of the route back")
                      : passed(0, found));
    }
    return all.worst("no rail has an IPv4 address");
}

Judgement judgeBootValue(const arp::SysctlMerge& merge,
                         const arp::State& state,
                         const Place& place,
                         Ipv4Key key) {
    const arp::BootValue boot = arp::bootValueOf(merge, place.name, key);
    const arp::Reading now = readingAt(state, place.link, key);
    const Value found = std::int64_t{boot.reading.effective};
    const Value expected = std::int64_t{now.effective};
    if (!boot.decider || boot.reading.effective == now.effective ||
        isRight(key, boot.reading.effective)) {
        return passed(expected, found);
    }
    return warned(expected,
                  found,
                  fmt::format("{} sets {} to another value at the next boot",
                              boot.decider->place(),
                              host::sysctlName(key)));
}

Judgement judgeLoser(const Evidence& evidence) {
    if (auto without = withoutArp(evidence)) {
        return *without;
    }
    if (!evidence.sysctls) {
        return unreadable(evidence.sysctls.error());
    }
    const auto merge = evidence.sysctls->merged(arp::SysctlProgram::systemd);
    Judged all;
    for (const Place& place : placesOf(evidence)) {
        for (const Ipv4Key key : {Ipv4Key::arpIgnore, Ipv4Key::arpAnnounce}) {
            all.add(fmt::format("{}/{}", place.name, host::sysctlName(key)),
                    judgeBootValue(merge, *evidence.arp, place, key));
        }
    }
    return all.worst("no rail has an IPv4 address");
}

// "net/ipv4/conf/ens1f0/100/arp_ignore" was meant as interface ens1f0.100.
std::string misspelt(const arp::SysctlLine& line) {
    constexpr std::string_view kPrefix = "net/ipv4/conf/";
    if (!line.key.starts_with(kPrefix)) {
        return {};
    }
    const auto parts = split(std::string_view(line.key).substr(kPrefix.size()), '/');
    return parts.size() == 3 ? fmt::format("{}.{}", parts[0], parts[1]) : "";
}

Judgement judgeDots(const Evidence& evidence) {
    if (!evidence.sysctls) {
        return unreadable(evidence.sysctls.error());
    }
    if (!evidence.links) {
        return unreadable(evidence.links.error());
    }
    const Value expected = "net.ipv4.conf.NAME/WITH.KEY for a name with a dot";
    for (const arp::SysctlFile& file : evidence.sysctls->inOrder) {
        for (const arp::SysctlLine& line : arp::linesOf(file)) {
            const std::string name = misspelt(line);
            if (!name.empty() &&
                std::ranges::find(*evidence.links, name, &host::Link::name) !=
                    evidence.links->end()) {
                return warned(expected,
                              line.place(),
                              name + " is not what this line names: it is skipped");
            }
        }
    }
    return passed(expected, "no line with a dotted name");
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "arp.sysctl",
     .worst = Verdict::fail,
     .cause = "a rail answers ARP for other rails' addresses",
     .source = "Configure the RDMA fabric: multi-rail hosts",
     .look = "sysctl net/ipv4/conf/all/arp_ignore net/ipv4/conf/{interface}/arp_ignore "
             "net/ipv4/conf/{interface}/arp_announce",
     .fix = "arp_ignore 1 and arp_announce 2 on every rail of every node",
     .action = "{apply} --only arp,neighbour",
     .restart = Restart::allNodes,
     .judge = judgeArp,
     .unobserved = "whether the rails share a broadcast domain (arp.shared_l2)"},
    {.id = "arp.shared_l2",
     .worst = Verdict::warn,
     .cause = "rails share one broadcast domain",
     .source = "Configure the RDMA fabric: multi-rail hosts",
     .look = "ip -brief address show; ip neigh show; fabricctl status --probe-l2",
     .fix = "a VLAN or a switch for each rail, or the ARP settings on every node",
     .action = "{apply} --only arp,neighbour",
     .restart = Restart::none,
     .judge = judgeDomain,
     .unobserved = "the wire, unless status --probe-l2 asks it"},
    {.id = "rp.strict",
     .worst = Verdict::fail,
     .cause = "strict reverse path filtering keeps a rail from being reached",
     .source = "experience",
     .look = "sysctl net/ipv4/conf/all/rp_filter net/ipv4/conf/{interface}/rp_filter",
     .fix = "rp_filter 2 on the rails, and not 1 in conf.all",
     .action = "{apply} --only arp (with arp.rp-filter: 2)",
     .restart = Restart::none,
     .judge = judgeReverse},
    {.id = "arp.filter",
     .worst = Verdict::fail,
     .cause = "arp_filter maps every address of a subnet to one rail",
     .source = "experience",
     .look = "sysctl net/ipv4/conf/all/arp_filter net/ipv4/conf/{interface}/arp_filter",
     .fix = "arp_filter 0 on the rails and in conf.all",
     .action = {},
     .restart = Restart::allNodes,
     .judge = judgeFilter},
    {.id = "subnet.overlap",
     .worst = Verdict::warn,
     .cause = "rails share a subnet: traffic leaves by one of them",
     .source = "experience",
     .look = "ip -brief address show; ip rule show; ip route get PEER from {address}",
     .fix = "a subnet for each rail, or a rule and a table per source address",
     .action = {},
     .restart = Restart::none,
     .judge = judgeOverlap},
    {.id = "sysctl.loser",
     .worst = Verdict::warn,
     .cause = "another file sets the rail's ARP values to something else at boot",
     .source = "experience",
     .look = "systemd-analyze cat-config sysctl.d | grep -E '^#|arp_'",
     .fix = "take the line out, or let a file that sorts later win",
     .action = "{apply} --only arp",
     .restart = Restart::none,
     .judge = judgeLoser},
    {.id = "sysctl.dotname",
     .worst = Verdict::warn,
     .cause = "a line of sysctl.d spells an interface with a dot so that it is skipped",
     .source = "experience",
     .look = "systemd-analyze cat-config sysctl.d | grep net.ipv4.conf",
     .fix = "write net.ipv4.conf.ens1f0/100.arp_ignore for ens1f0.100",
     .action = {},
     .restart = Restart::none,
     .judge = judgeDots},
});

}  // namespace

std::span<const Rule> addressRules() {
    return kRules;
}

}  // namespace fabric::doctor
