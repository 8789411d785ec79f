// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/state.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fabric::resource::arp {

namespace {

using host::Ipv4Key;

constexpr std::array kKeys{
    Ipv4Key::rpFilter, Ipv4Key::arpFilter, Ipv4Key::arpAnnounce, Ipv4Key::arpIgnore};

}  // namespace

bool State::ownsAddress(IfIndex link) const {
    return std::ranges::find(addresses, link, &host::LinkAddress::link) !=
           addresses.end();
}

Result<State> observe(const host::Reader& host) {
    State state;
    for (host::Ipv4Conf& conf : TRY(host.ipv4.interfaces())) {
        state.own[conf.link] = std::move(conf.values);
    }
    for (const Ipv4Key key : kKeys) {
        state.all[key] = TRY(host.ipv4.all(key));
    }
    state.addresses = TRY(host.links.addresses());
    std::erase_if(state.addresses,
                  [](const host::LinkAddress& address) { return address.ipv6; });
    return state;
}

std::vector<Place> placesOf(std::span<const RailTask> rails, const State& state) {
    std::vector<Place> places;
    for (const RailTask& task : rails) {
        if (!task.settings.arp) {
            continue;
        }
        for (const inventory::RailInterface& interface : task.rail.interfaces) {
            if (state.ownsAddress(interface.link)) {
                places.push_back({.task = &task, .interface = &interface});
            }
        }
    }
    return places;
}

}  // namespace fabric::resource::arp
