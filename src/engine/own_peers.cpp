// SPDX-License-Identifier: Apache-2.0
#include "engine/own_peers.hpp"

#include "engine/preparation.hpp"
#include "inventory/gid_table.hpp"
#include "inventory/platform.hpp"
#include "inventory/rail.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace fabric::engine {

namespace {

bool isRoce(const inventory::Rail& rail) {
    return rail.rdma && rail.rdma->linkLayer == host::LinkLayer::ethernet;
}

// One interface of a rail, with what its RDMA port says.
struct Place {
    std::string name;
    std::uint32_t activeMtu = 0;                      // 0: not told
    std::optional<std::vector<inventory::Gid>> gids;  // empty: not told
};

// What cannot be read is left out: the addresses are what peers need most.
std::map<IfIndex, Place> placesOf(const host::Reader& host,
                                  const std::vector<inventory::Rail>& rails) {
    std::map<IfIndex, Place> places;
    for (const inventory::Rail& rail : rails) {
        Place place;
        if (isRoce(rail)) {
            const auto attributes = host.rdma.attributes(*rail.rdma);
            place.activeMtu = attributes ? attributes->activeMtu : 0;
            auto gids = inventory::readGids(host.files, *rail.rdma);
            place.gids = gids ? std::optional(std::move(*gids)) : std::nullopt;
        }
        for (const inventory::RailInterface& interface : rail.interfaces) {
            place.name = interface.name;
            places.emplace(interface.link, place);
        }
    }
    return places;
}

std::string gidText(const Place& place, const IpAddress& address) {
    if (!place.gids) {
        return {};
    }
    return inventory::indexOf(*place.gids, address) ? inventory::gidOf(address)
                                                    : "none";
}

}  // namespace

Result<OwnPeers> observeOwnPeers(const host::Reader& host, const std::string& filter) {
    auto rails = TRY(inventory::observeRails(host));
    if (filter.empty()) {
        std::erase_if(rails, [](const auto& rail) { return !isRoce(rail); });
    }
    rails = TRY(railsNamed(std::move(rails), filter));
    const std::map<IfIndex, Place> places = placesOf(host, rails);
    const auto links = TRY(host.links.links());
    OwnPeers own{.host = inventory::observePlatform(host).hostName, .peers = {}};
    const auto addresses = TRY(host.links.addresses());
    for (const host::LinkAddress& told : addresses) {
        const IpAddress address{.ipv6 = told.ipv6, .octets = told.octets};
        const auto link = std::ranges::find(links, told.link, &host::Link::index);
        const auto place = places.find(told.link);
        const bool counts = place != places.end() && link != links.end() && link->mac &&
                            !(told.ipv6 && address.isLinkLocal());
        if (counts) {
            own.peers.push_back({.host = own.host,
                                 .rail = place->second.name,
                                 .address = address.text(),
                                 .mac = link->mac->text(),
                                 .mtu = link->mtu,
                                 .activeMtu = place->second.activeMtu,
                                 .gid = gidText(place->second, address)});
        }
    }
    std::ranges::sort(own.peers, {}, [](const profile::NeighbourPeer& peer) {
        return std::tie(peer.rail, peer.address);
    });
    return own;
}

}  // namespace fabric::engine
