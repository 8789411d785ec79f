// SPDX-License-Identifier: Apache-2.0
#include "resource/flush_pending.hpp"
#include "resource/neighbour/state.hpp"

#include <utility>

namespace fabric::resource::neighbour {

namespace {

Result<bool> isFlushPending(const host::FileReader& files, IfIndex link) {
    const auto status = files.status(flushPendingPath(link));
    if (status) {
        return true;
    }
    if (status.error().kind == ErrorKind::notFound) {
        return false;
    }
    return fail(status.error());
}

// The interfaces of the rails by index, without addresses and entries yet.
std::map<IfIndex, InterfaceState> interfacesOf(std::span<const RailTask> rails) {
    std::map<IfIndex, InterfaceState> interfaces;
    for (const RailTask& task : rails) {
        if (!task.settings.neighbours) {
            continue;
        }
        for (const inventory::RailInterface& interface : task.rail.interfaces) {
            InterfaceState& state = interfaces[interface.link];
            state.link = interface.link;
            state.name = interface.name;
            state.rail = task.rail.name;
        }
    }
    return interfaces;
}

Result<void> addAddresses(const host::Reader& host, State& state) {
    const auto addresses = TRY(host.links.addresses());
    for (const host::LinkAddress& told : addresses) {
        const auto found = state.interfaces.find(told.link);
        const IpAddress address{.ipv6 = told.ipv6, .octets = told.octets};
        // Every interface has a link-local IPv6 address; peers use it for nothing here.
        const bool counts = !told.ipv6 || !address.isLinkLocal();
        if (found != state.interfaces.end() && counts) {
            found->second.addresses.push_back(address);
        }
    }
    std::erase_if(state.interfaces,
                  [](const auto& entry) { return entry.second.addresses.empty(); });
    return {};
}

Result<void> addEntries(const host::Reader& host, State& state) {
    if (host.neighbours == nullptr) {
        return fail(Error{.kind = ErrorKind::unsupported,
                          .action = "list neighbour entries",
                          .detail = "there is no neighbour cache here"});
    }
    auto entries = TRY(host.neighbours->neighbours());
    for (host::Neighbour& entry : entries) {
        const auto found = state.interfaces.find(entry.key.link);
        if (found != state.interfaces.end()) {
            found->second.entries.push_back(std::move(entry));
        }
    }
    return {};
}

}  // namespace

Result<State> observe(const host::Reader& host, std::span<const RailTask> rails) {
    State state{.interfaces = interfacesOf(rails)};
    if (state.interfaces.empty()) {
        return state;
    }
    TRY(addAddresses(host, state));
    TRY(addEntries(host, state));
    const auto links = TRY(host.links.links());
    for (const host::Link& link : links) {
        const auto found = state.interfaces.find(link.index);
        if (found != state.interfaces.end()) {
            found->second.mac = link.mac;
            found->second.carrier = link.adminUp && link.carrier;
        }
    }
    for (auto& [link, interface] : state.interfaces) {
        interface.flushPending = isFlushPending(host.files, link);
    }
    return state;
}

}  // namespace fabric::resource::neighbour
