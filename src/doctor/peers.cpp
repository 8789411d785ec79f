// SPDX-License-Identifier: Apache-2.0
#include "doctor/peers.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <set>
#include <utility>

namespace fabric::doctor {

namespace {

IpAddress ipOf(const host::LinkAddress& address) {
    return {.ipv6 = address.ipv6, .octets = address.octets};
}

// As the kernel prints a GID; IPv4 is carried as ::ffff:a.b.c.d (RFC 4291).
std::string gidOf(const IpAddress& address) {
    constexpr std::size_t kGroups = 8;
    constexpr std::size_t kMappedAt = 12;
    std::array<std::uint8_t, 16> octets = address.octets;
    if (!address.ipv6) {
        octets = {};
        octets[10] = octets[11] = 0xFF;
        std::copy_n(address.octets.begin(), 4, octets.begin() + kMappedAt);
    }
    std::string text;
    for (std::size_t group = 0; group < kGroups; ++group) {
        text += fmt::format("{}{:02x}{:02x}",
                            group == 0 ? "" : ":",
                            octets.at(2 * group),
                            octets.at(2 * group + 1));
    }
    return text;
}

// What a person may paste into a shell as it is.
bool isPlainWord(std::string_view text) {
    return !text.empty() && text.front() != '-' &&
           text.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
               "0123456789_.-") == std::string_view::npos;
}

std::set<IpAddress> ownAddresses(const Evidence& evidence) {
    std::set<IpAddress> own;
    for (const RailEvidence& rail : evidence.rails) {
        for (const host::LinkAddress& address : rail.addresses) {
            own.insert(ipOf(address));
        }
    }
    return own;
}

void addPairs(const RailEvidence& rail,
              std::span<const AutoClass> classes,
              const profile::NeighbourPeer& peer,
              const IpAddress& to,
              std::vector<PeerPair>& pairs) {
    for (const host::LinkAddress& address : rail.addresses) {
        const IpAddress from = ipOf(address);
        if (from.ipv6 != to.ipv6 || !from.sharesPrefix(to, address.prefixLength)) {
            continue;
        }
        Measurement measurement = measurementOf(rail, classes, from, to);
        pairs.push_back(
            {.rail = rail.rail.name,
             .way = {.from = from, .via = address.link, .to = to, .port = kPeerPort},
             .peer = fmt::format("{} of {}", peer.rail, peer.host),
             .connected = fail(Error{.kind = ErrorKind::unsupported,
                                     .action = "connect",
                                     .subject = to.text(),
                                     .sysErrno = 0,
                                     .detail = "it was not tried",
                                     .advice = {}}),
             .serve = std::move(measurement.serve),
             .run = std::move(measurement.run),
             .without = std::move(measurement.without)});
    }
}

// Any DSCP of the lossless priority will do; AIStor's own one where it is defined.
std::string trafficClass(std::span<const AutoClass> classes, const std::string& rail) {
    const auto found = std::ranges::find_if(classes, [&](const AutoClass& one) {
        return one.rail == rail && !one.candidates.empty();
    });
    if (found == classes.end()) {
        return {};
    }
    const unsigned dscp = found->candidates.begin()->number();
    return fmt::format(" --tclass {}", found->trafficClass.value_or(dscp << 2U));
}

}  // namespace

Measurement measurementOf(const RailEvidence& rail,
                          std::span<const AutoClass> classes,
                          const IpAddress& from,
                          const IpAddress& to) {
    Measurement measurement;
    if (!rail.rail.rdma || !isPlainWord(rail.rail.rdma->device)) {
        measurement.without = "the rail has no RDMA device with a plain name";
        return measurement;
    }
    std::string gid;
    if (rail.rail.rdma->linkLayer != host::LinkLayer::infiniband) {
        if (!rail.gids) {
            measurement.without = rail.gids.error().message();
            return measurement;
        }
        const std::string wanted = gidOf(from);
        const auto found = std::ranges::find_if(*rail.gids, [&](const Gid& one) {
            return one.gid == wanted && one.type == "RoCE v2";
        });
        if (found == rail.gids->end()) {
            measurement.without = from.text() + " has no RoCE v2 GID: see gid.ipv4";
            return measurement;
        }
        gid = fmt::format(
            " -x {}{}", found->index, trafficClass(classes, rail.rail.name));
    }
    measurement.serve = fmt::format("ib_write_bw -d {} -i {}{} -F --report_gbits",
                                    rail.rail.rdma->device,
                                    rail.rail.rdma->port,
                                    gid);
    measurement.run = measurement.serve + " " + to.text();
    return measurement;
}

PeerEvidence pairPeers(const Evidence& evidence, const profile::PeersRead& inventory) {
    PeerEvidence peers{.pairs = {}, .problems = inventory.problems, .unpaired = {}};
    const std::set<IpAddress> own = ownAddresses(evidence);
    const auto classes = autoClasses(evidence);
    std::set<IpAddress> seen;
    for (const profile::NeighbourPeer& peer : inventory.peers) {
        const auto to = IpAddress::parse(peer.address);
        if (!to || own.contains(*to) || !seen.insert(*to).second) {
            continue;
        }
        const std::size_t before = peers.pairs.size();
        for (const RailEvidence& rail : evidence.rails) {
            addPairs(rail, classes, peer, *to, peers.pairs);
        }
        if (peers.pairs.size() == before) {
            peers.unpaired.push_back(
                fmt::format("{} ({} of {})", to->text(), peer.rail, peer.host));
        }
    }
    if (peers.pairs.size() > kMostPairs) {
        peers.problems.push_back(fmt::format(
            "of {} pairs the first {} are tried", peers.pairs.size(), kMostPairs));
        peers.pairs.erase(peers.pairs.begin() + kMostPairs, peers.pairs.end());
    }
    return peers;
}

void connectPeers(host::Connector& connector, PeerEvidence& peers) {
    std::vector<host::Connection> wanted;
    std::ranges::transform(peers.pairs, std::back_inserter(wanted), &PeerPair::way);
    auto outcomes = connector.connect(wanted, kPeerPatience);
    for (std::size_t at = 0; at < std::min(outcomes.size(), peers.pairs.size()); ++at) {
        peers.pairs[at].connected = std::move(outcomes[at]);
    }
}

}  // namespace fabric::doctor
