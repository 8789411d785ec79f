// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/ip_address.hpp"
#include "host/neighbours.hpp"
#include "profile/settings.hpp"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace fabric::resource::neighbour {

// One address of one interface of a known host.
struct Peer {
    std::string host;
    std::string rail;
    IpAddress address;
    MacAddress mac;

    // "ens1f0np0 of node2"
    [[nodiscard]] std::string text() const;
};

// What a cached MAC says when it is held against the inventory.
enum class Match {
    notListed,   // the inventory does not know the address
    unresolved,  // listed, and no MAC is cached
    right,       // the MAC of the interface that owns the address
    wrongRail,   // the MAC of another known interface: proven wrong
    unknownMac,  // a MAC that the inventory does not know
    disputed,    // one of several MACs that the inventory gives to the address
};

struct Judgement {
    Match match = Match::notListed;
    const Peer* owner = nullptr;   // of the address
    const Peer* holder = nullptr;  // of the cached MAC, when wrongRail
};

// The inventory: which interface owns which address, and which interface has which MAC.
// Judgements point into it.
class PeerTable {
  public:
    PeerTable() = default;
    // Entries of the profile are valid by its rules; one whose address or MAC does not
    // parse is left out.
    explicit PeerTable(std::span<const profile::NeighbourPeer> peers);

    // An interface of this host: peers' addresses never carry its MAC.
    void addOwn(const std::string& host, const std::string& rail, MacAddress mac);

    [[nodiscard]] bool empty() const { return byAddress_.empty(); }

    [[nodiscard]] Judgement judge(const host::Neighbour& entry) const;

    // Addresses that are listed with two different MACs, for a person.
    [[nodiscard]] const std::vector<std::string>& conflicts() const {
        return conflicts_;
    }

  private:
    std::map<IpAddress, Peer> byAddress_;
    std::map<MacAddress, Peer> byMac_;
    std::map<IpAddress, std::set<MacAddress>> disputed_;  // address, its listed MACs
    std::vector<std::string> conflicts_;
};

}  // namespace fabric::resource::neighbour
