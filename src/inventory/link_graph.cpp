// SPDX-License-Identifier: Apache-2.0
#include "inventory/link_graph.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <utility>

namespace fabric::inventory {

namespace {

constexpr std::array<std::string_view, 11> kStackedKinds{"vlan",
                                                         "bond",
                                                         "team",
                                                         "bridge",
                                                         "macvlan",
                                                         "macvtap",
                                                         "ipvlan",
                                                         "ipvtap",
                                                         "macsec",
                                                         "ipoib",
                                                         "openvswitch"};
// IFLA_LINK of these names the other end, not a device below (drivers/net/veth.c,
// netkit.c, can/vxcan.c, ndo_get_iflink).
constexpr std::array<std::string_view, 3> kPairedKinds{"veth", "netkit", "vxcan"};
constexpr std::array<std::string_view, 4> kAddressKinds{
    "vlan", "bond", "team", "bridge"};

template <typename Kinds>
bool isOneOf(const Kinds& kinds, std::string_view kind) {
    return std::ranges::find(kinds, kind) != kinds.end();
}

template <typename Key>
LinkGraph::Links valuesOf(const std::multimap<Key, const host::Link*>& map,
                          const Key& key) {
    const auto [first, last] = map.equal_range(key);
    LinkGraph::Links found;
    std::ranges::transform(
        first, last, std::back_inserter(found), [](const auto& entry) {
            return entry.second;
        });
    return found;
}

}  // namespace

LinkGraph::LinkGraph(std::vector<host::Link> links) : links_(std::move(links)) {
    for (const host::Link& link : links_) {
        byIndex_.emplace(link.index, &link);
        if (!link.master.none()) {
            byMaster_.emplace(link.master, &link);
        }
        if (!link.lower.none() && link.lower != link.index &&
            !isOneOf(kPairedKinds, link.kind)) {
            byLower_.emplace(link.lower, &link);
        }
        if (const auto address = pciParent(link)) {
            byFunction_.emplace(*address, &link);
        }
    }
}

const host::Link* LinkGraph::find(IfIndex index) const {
    const auto found = byIndex_.find(index);
    return found == byIndex_.end() ? nullptr : found->second;
}

LinkGraph::Links LinkGraph::members(IfIndex master) const {
    return valuesOf(byMaster_, master);
}

LinkGraph::Links LinkGraph::onFunction(PciAddress address) const {
    return valuesOf(byFunction_, address);
}

LinkGraph::Links LinkGraph::directlyBelow(const host::Link& link) const {
    Links below = members(link.index);
    const host::Link* const lower = find(link.lower);
    if (lower != nullptr && lower != &link && !isOneOf(kPairedKinds, link.kind)) {
        below.push_back(lower);
    }
    return below;
}

LinkGraph::Links LinkGraph::withInterfacesAbove(const host::Link& link) const {
    Links found{&link};
    const auto add = [&found](const host::Link* upper) {
        if (upper != nullptr && isOneOf(kAddressKinds, upper->kind) &&
            std::ranges::find(found, upper) == found.end()) {
            found.push_back(upper);
        }
    };
    for (std::size_t next = 0; next < found.size(); ++next) {
        const host::Link* const current = found[next];
        add(find(current->master));
        std::ranges::for_each(valuesOf(byLower_, current->index), add);
    }
    return found;
}

bool isStacked(const host::Link& link) {
    return isOneOf(kStackedKinds, link.kind);
}

bool isLoopback(const host::Link& link) {
    return link.index.number == 1 && link.kind.empty() && link.parentDevice.empty() &&
           link.mac.value_or(MacAddress{}) == MacAddress{};
}

std::optional<PciAddress> pciParent(const host::Link& link) {
    if (link.parentBus != "pci") {
        return std::nullopt;
    }
    return PciAddress::parse(link.parentDevice);
}

}  // namespace fabric::inventory
