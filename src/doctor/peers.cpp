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

std::uint32_t mtuOf(const Evidence& evidence, IfIndex link) {
    const auto links = evidence.links.value_or(std::vector<host::Link>{});
    const auto found = std::ranges::find(links, link, &host::Link::index);
    return found == links.end() ? 0 : found->mtu;
}

Result<std::uint32_t> activeMtuOf(const RailEvidence& rail) {
    return TRY(rail.attributes).activeMtu;
}

Result<std::string> gidTextOf(const RailEvidence& rail, const IpAddress& address) {
    if (rail.rail.rdma && rail.rail.rdma->linkLayer == host::LinkLayer::infiniband) {
        return std::string();
    }
    const auto gids = TRY(rail.gids);
    return inventory::indexOf(gids, address) ? inventory::gidOf(address) : "none";
}

void addPairs(const Evidence& evidence,
              const RailEvidence& rail,
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
             .without = std::move(measurement.without),
             .ownMtu = mtuOf(evidence, address.link),
             .peerMtu = peer.mtu,
             .ownActiveMtu = activeMtuOf(rail),
             .peerActiveMtu = peer.activeMtu,
             .ownGid = gidTextOf(rail, from),
             .peerGid = peer.gid});
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
        const auto index = inventory::indexOf(*rail.gids, from);
        if (!index) {
            measurement.without = from.text() + " has no RoCE v2 GID: see gid.ipv4";
            return measurement;
        }
        gid = fmt::format(" -x {}{}", *index, trafficClass(classes, rail.rail.name));
    }
    measurement.serve = fmt::format("ib_write_bw -d {} -i {}{} -F --report_gbits",
                                    rail.rail.rdma->device,
                                    rail.rail.rdma->port,
                                    gid);
    measurement.run = measurement.serve + " " + to.text();
    return measurement;
}

std::string nameOf(const PeerPair& pair) {
    return fmt::format(
        "{} to {} ({})", pair.way.from.text(), pair.way.to.text(), pair.peer);
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
            addPairs(evidence, rail, classes, peer, *to, peers.pairs);
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
