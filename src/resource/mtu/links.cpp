// SPDX-License-Identifier: Apache-2.0
#include "resource/mtu/mtu.hpp"

#include <algorithm>
#include <ranges>

namespace fabric::resource::mtu {

namespace {

using host::Link;
using Links = inventory::LinkGraph::Links;

constexpr std::uint32_t kRoceHeaders = 96;
constexpr std::uint32_t kLargestPathMtu = 4096;
constexpr std::uint32_t kSmallestPathMtu = 256;

void addOnce(Links& links, const Link* link) {
    if (link != nullptr && std::ranges::find(links, link) == links.end()) {
        links.push_back(link);
    }
}

// A bridge does not limit itself to its ports once its MTU was set (br_device.c).
Links supportsOf(const inventory::LinkGraph& links, const Link& link) {
    return inventory::isStacked(link) && link.kind != "bridge"
               ? links.directlyBelow(link)
               : Links{};
}

}  // namespace

std::uint32_t rocePathMtu(std::uint32_t linkMtu) {
    for (std::uint32_t payload = kLargestPathMtu; payload >= kSmallestPathMtu;
         payload /= 2) {
        if (linkMtu >= payload + kRoceHeaders) {
            return payload;
        }
    }
    return 0;
}

Limit limitOf(const inventory::LinkGraph& links, const Link& link) {
    Limit limit;
    Links pending{&link};
    for (std::size_t next = 0; next < pending.size(); ++next) {
        const Link& current = *pending[next];
        if (current.maxMtu != 0 && (limit.bytes == 0 || current.maxMtu < limit.bytes)) {
            limit = {current.maxMtu, current.name};
        }
        for (const Link* below : supportsOf(links, current)) {
            addOnce(pending, below);
        }
    }
    return limit;
}

Links linksOf(const inventory::LinkGraph& links, const inventory::Rail& rail) {
    Links ports;
    for (const inventory::PhysicalPort& port : rail.ports) {
        addOnce(ports, links.find(port.link));
    }
    // From the rail's link down to its ports; members of a bond are ports themselves.
    Links between;
    const Link* down = links.find(rail.link);
    while (down != nullptr && std::ranges::find(between, down) == between.end() &&
           std::ranges::find(ports, down) == ports.end()) {
        between.push_back(down);
        const bool hasLower = inventory::isStacked(*down) && !down->lower.none();
        down = hasLower ? links.find(down->lower) : nullptr;
    }
    Links all = std::move(ports);
    for (const Link* link : std::views::reverse(between)) {
        addOnce(all, link);
    }
    for (const inventory::RailInterface& interface : rail.interfaces) {
        addOnce(all, links.find(interface.link));
    }
    return all;
}

}  // namespace fabric::resource::mtu
