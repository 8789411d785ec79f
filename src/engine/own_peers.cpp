// SPDX-License-Identifier: Apache-2.0
#include "engine/own_peers.hpp"

#include "engine/preparation.hpp"
#include "inventory/platform.hpp"
#include "inventory/rail.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace fabric::engine {

namespace {

bool isRoce(const inventory::Rail& rail) {
    return rail.rdma && rail.rdma->linkLayer == host::LinkLayer::ethernet;
}

}  // namespace

Result<OwnPeers> observeOwnPeers(const host::Reader& host, const std::string& filter) {
    auto rails = TRY(inventory::observeRails(host));
    if (filter.empty()) {
        std::erase_if(rails, [](const auto& rail) { return !isRoce(rail); });
    }
    rails = TRY(railsNamed(std::move(rails), filter));
    std::map<IfIndex, std::string> names;
    for (const inventory::Rail& rail : rails) {
        for (const inventory::RailInterface& interface : rail.interfaces) {
            names.emplace(interface.link, interface.name);
        }
    }
    std::map<IfIndex, MacAddress> macs;
    const auto links = TRY(host.links.links());
    for (const host::Link& link : links) {
        if (link.mac) {
            macs.emplace(link.index, *link.mac);
        }
    }
    OwnPeers own{.host = inventory::observePlatform(host).hostName, .peers = {}};
    const auto addresses = TRY(host.links.addresses());
    for (const host::LinkAddress& told : addresses) {
        const IpAddress address{.ipv6 = told.ipv6, .octets = told.octets};
        const bool counts = names.contains(told.link) && macs.contains(told.link) &&
                            !(told.ipv6 && address.isLinkLocal());
        if (counts) {
            own.peers.push_back({.host = own.host,
                                 .rail = names.at(told.link),
                                 .address = address.text(),
                                 .mac = macs.at(told.link).text()});
        }
    }
    std::ranges::sort(own.peers, {}, [](const profile::NeighbourPeer& peer) {
        return std::tie(peer.rail, peer.address);
    });
    return own;
}

}  // namespace fabric::engine
