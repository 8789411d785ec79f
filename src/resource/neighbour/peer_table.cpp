// SPDX-License-Identifier: Apache-2.0
#include "resource/neighbour/peer_table.hpp"

namespace fabric::resource::neighbour {

std::string Peer::text() const {
    return rail + " of " + host;
}

PeerTable::PeerTable(std::span<const profile::NeighbourPeer> peers) {
    for (const profile::NeighbourPeer& listed : peers) {
        const auto address = IpAddress::parse(listed.address);
        const auto mac = MacAddress::parse(listed.mac);
        if (!address || !mac) {
            continue;
        }
        const Peer peer{listed.host, listed.rail, *address, *mac};
        const auto [known, added] = byAddress_.emplace(*address, peer);
        if (!added && known->second.mac != *mac) {
            conflicts_.push_back(address->text() + " is " + known->second.text() +
                                 " and " + peer.text());
            disputed_[*address].insert({known->second.mac, *mac});
        }
        byMac_.emplace(*mac, peer);
    }
}

void PeerTable::addOwn(const std::string& host,
                       const std::string& rail,
                       MacAddress mac) {
    byMac_.emplace(mac, Peer{host, rail, {}, mac});
}

Judgement PeerTable::judge(const host::Neighbour& entry) const {
    const auto owner = byAddress_.find(entry.key.address);
    if (owner == byAddress_.end()) {
        return {};
    }
    Judgement judgement{.match = Match::unresolved, .owner = &owner->second};
    if (!entry.isUsable() || !entry.mac) {
        return judgement;
    }
    const auto dispute = disputed_.find(entry.key.address);
    if (dispute != disputed_.end() && dispute->second.contains(*entry.mac)) {
        judgement.match = Match::disputed;
        return judgement;
    }
    if (*entry.mac == owner->second.mac) {
        judgement.match = Match::right;
        return judgement;
    }
    const auto holder = byMac_.find(*entry.mac);
    judgement.match = holder == byMac_.end() ? Match::unknownMac : Match::wrongRail;
    judgement.holder = holder == byMac_.end() ? nullptr : &holder->second;
    return judgement;
}

}  // namespace fabric::resource::neighbour
