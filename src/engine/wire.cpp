// SPDX-License-Identifier: Apache-2.0
#include "engine/wire.hpp"

#include "base/text.hpp"
#include "engine/preparation.hpp"
#include "engine/rail_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace fabric::engine {

namespace {

using inventory::Rail;
using resource::Severity;

struct Place {
    IfIndex link;
    std::string name;
};

bool ownsAddress(std::span<const host::LinkAddress> addresses, IfIndex link) {
    return std::ranges::any_of(addresses, [link](const host::LinkAddress& address) {
        return address.link == link && !address.ipv6;
    });
}

std::vector<Place> placesOf(std::span<const Rail> rails,
                            std::span<const host::LinkAddress> addresses) {
    std::vector<Place> places;
    std::set<IfIndex> known;
    const auto add = [&](IfIndex link, const std::string& name) {
        if (!link.none() && known.insert(link).second) {
            places.push_back({link, name});
        }
    };
    for (const Rail& rail : rails) {
        const std::size_t before = places.size();
        for (const inventory::RailInterface& interface : rail.interfaces) {
            if (ownsAddress(addresses, interface.link)) {
                add(interface.link, interface.name);
            }
        }
        if (places.size() == before) {
            add(rail.link, rail.name);
        }
    }
    return places;
}

// A link without carrier sends nothing and hears nothing, without an error.
void markWithoutCarrier(const host::LinkReader& links,
                        std::vector<host::ProbedLink>& probed) {
    for (host::ProbedLink& one : probed) {
        const auto link = links.link(one.link);
        if (link && !link->carrier && !one.error) {
            one.error = Error{.kind = ErrorKind::io,
                              .action = "probe",
                              .subject = escapeForTerminal(link->name),
                              .detail = "the link has no carrier"};
        }
    }
}

std::optional<MacAddress> cachedMac(const host::Reader& host,
                                    IfIndex link,
                                    const IpAddress& address) {
    if (host.neighbours == nullptr) {
        return std::nullopt;
    }
    const auto entries = host.neighbours->neighboursOn(link);
    for (const host::Neighbour& entry :
         entries ? *entries : std::vector<host::Neighbour>{}) {
        if (entry.key.address == address && entry.isUsable()) {
            return entry.mac;
        }
    }
    return std::nullopt;
}

AuditAnswer audit(const host::Reader& host,
                  host::Prober& prober,
                  const Place& place,
                  const IpAddress& address) {
    AuditAnswer answer{.interface = place.name,
                       .macs = {},
                       .cachedBefore = cachedMac(host, place.link, address),
                       .cachedAfter = {},
                       .error = {}};
    auto macs = prober.whoAnswers(place.link, address, kProbeWindow);
    if (macs) {
        answer.macs = std::move(*macs);
    } else {
        answer.error = std::move(macs.error());
    }
    answer.cachedAfter = cachedMac(host, place.link, address);
    return answer;
}

Error cannotAudit(const IpAddress& address, std::string detail, std::string advice) {
    return Error{.kind = ErrorKind::notFound,
                 .action = "audit",
                 .subject = address.text(),
                 .sysErrno = 0,
                 .detail = std::move(detail),
                 .advice = std::move(advice)};
}

std::string joined(const std::vector<std::string>& names) {
    return escapeForTerminal(fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace

std::string_view toString(Sharing sharing) {
    switch (sharing) {
        case Sharing::shared:
            return "shared";
        case Sharing::notObserved:
            return "not observed";
        case Sharing::couldNotTell:
            return "could not tell";
    }
    return "could not tell";
}

std::vector<InterfaceSharing> judgeDomains(std::span<const host::ProbedLink> probed,
                                           std::span<const std::string> names) {
    std::map<IfIndex, std::set<IfIndex>> near;
    std::map<IfIndex, std::string> nameOf;
    std::size_t able = 0;
    for (std::size_t at = 0; at < probed.size(); ++at) {
        nameOf[probed[at].link] = names[at];
        able += probed[at].error ? 0 : 1;
        for (const IfIndex other : probed[at].heardFrom) {
            near[probed[at].link].insert(other);
            near[other].insert(probed[at].link);
        }
    }
    std::vector<InterfaceSharing> judged;
    for (const host::ProbedLink& one : probed) {
        InterfaceSharing sharing{.interface = nameOf[one.link],
                                 .sharing = Sharing::notObserved,
                                 .with = {},
                                 .reason = {}};
        for (const IfIndex other : near[one.link]) {
            sharing.with.push_back(nameOf[other]);
        }
        if (!sharing.with.empty()) {
            sharing.sharing = Sharing::shared;
        } else if (one.error || able < 2) {
            sharing.sharing = Sharing::couldNotTell;
            sharing.reason =
                one.error ? one.error->message() : "no other interface could listen";
        }
        judged.push_back(std::move(sharing));
    }
    return judged;
}

Result<std::vector<InterfaceSharing>> probeDomains(const host::Reader& host,
                                                   host::Prober& prober,
                                                   std::span<const Rail> rails) {
    const auto addresses = TRY(host.links.addresses());
    std::vector<IfIndex> links;
    std::vector<std::string> names;
    for (Place& place : placesOf(rails, addresses)) {
        links.push_back(place.link);
        names.push_back(std::move(place.name));
    }
    auto probed = TRY(prober.probeDomains(links, kProbeWindow));
    markWithoutCarrier(host.links, probed);
    return judgeDomains(probed, names);
}

std::vector<resource::Finding> sharingFindings(
    const Result<std::vector<InterfaceSharing>>& seen) {
    if (!seen) {
        return {{.id = "arp.shared-l2",
                 .severity = Severity::warn,
                 .summary = "whether rails share a broadcast domain could not be told",
                 .evidence = seen.error().message(),
                 .fix = seen.error().advice}};
    }
    std::map<Sharing, std::vector<std::string>> names;
    std::string reasons;
    for (const InterfaceSharing& one : *seen) {
        names[one.sharing].push_back(one.interface);
        reasons += one.reason.empty() ? "" : (reasons.empty() ? "" : "; ") + one.reason;
    }
    std::vector<resource::Finding> findings;
    const auto add = [&](Sharing sharing, Severity severity, std::string summary) {
        if (!names[sharing].empty()) {
            findings.push_back({.id = "arp.shared-l2",
                                .severity = severity,
                                .summary = std::move(summary),
                                .evidence = joined(names[sharing]),
                                .fix = {}});
        }
    };
    add(Sharing::shared,
        Severity::info,
        "shared: a broadcast of one rail arrives on another, so arp.ignore and "
        "arp.announce decide which rail answers");
    add(Sharing::notObserved,
        Severity::info,
        "not observed: no broadcast of another rail arrived, which a switch may also "
        "cause by filtering; keep the ARP settings");
    add(Sharing::couldNotTell,
        Severity::warn,
        "could not tell whether these share a broadcast domain: " + reasons);
    return findings;
}

Result<Audit> auditPeer(const host::Reader& host,
                        host::Prober& prober,
                        std::span<const Rail> rails,
                        const IpAddress& address) {
    if (address.ipv6) {
        return fail(cannotAudit(
            address, "only IPv4 uses ARP", "IPv6 answers per interface by itself"));
    }
    const auto addresses = TRY(host.links.addresses());
    const bool own = std::ranges::any_of(addresses, [&](const auto& told) {
        return IpAddress{.ipv6 = told.ipv6, .octets = told.octets} == address;
    });
    if (own) {
        return fail(cannotAudit(
            address, "it is this host's own", "audit a peer's address from here"));
    }
    Audit result{.address = address, .answers = {}};
    for (const Place& place : placesOf(rails, addresses)) {
        const bool onLink =
            std::ranges::any_of(addresses, [&](const host::LinkAddress& told) {
                const IpAddress ip{.ipv6 = told.ipv6, .octets = told.octets};
                return told.link == place.link &&
                       ip.sharesPrefix(address, told.prefixLength);
            });
        if (onLink) {
            result.answers.push_back(audit(host, prober, place, address));
        }
    }
    if (result.answers.empty()) {
        return fail(cannotAudit(address,
                                "it lies in no subnet of a rail",
                                "name the interface with --rail"));
    }
    return result;
}

Result<std::vector<Rail>> probedRails(const host::Reader& host,
                                      const profile::Profile* profile,
                                      const std::string& filter) {
    auto candidates = TRY(inventory::observeRails(host));
    if (profile != nullptr) {
        return railsNamed(selectRails(profile->rails(), candidates).rails, filter);
    }
    std::vector<Rail> named;
    if (!filter.empty()) {
        named = TRY(railsNamed(candidates, filter));
    }
    std::erase_if(candidates, [&](const Rail& rail) {
        const bool isNamed =
            std::ranges::find(named, rail.name, &Rail::name) != named.end();
        return !rail.rdma && !isNamed;
    });
    return candidates;
}

}  // namespace fabric::engine
