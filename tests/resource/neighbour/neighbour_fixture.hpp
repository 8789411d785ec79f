// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/neighbour/neighbour.hpp"
#include "resource/rail_fixture.hpp"

#include <string>
#include <string_view>

namespace fabric::resource::neighbour {

inline constexpr IfIndex kRailA{2};
inline constexpr IfIndex kRailB{3};
inline constexpr std::string_view kRightMac = "02:00:00:00:02:01";  // node2, rail a
inline constexpr std::string_view kOtherMac = "02:00:00:00:02:02";  // node2, rail b
inline constexpr std::string_view kForeignMac = "02:00:00:00:09:09";

// Two rails, raila with 10.0.1.1 and railb with 10.0.2.1, in front of node2.
class NeighbourFixture : public RailFixture {
  protected:
    NeighbourFixture() {
        platform.hostName = "node1";
        addRail(kRailA, "raila", "02:00:00:00:01:01", IpAddress::v4(10, 0, 1, 1));
        addRail(kRailB, "railb", "02:00:00:00:01:02", IpAddress::v4(10, 0, 2, 1));
    }

    void addRail(IfIndex link,
                 std::string name,
                 std::string_view mac,
                 const IpAddress& address) {
        host.links.add(link.number, name).mac = MacAddress::parse(mac);
        host.links.addressList.push_back(
            {.link = link, .octets = address.octets, .prefixLength = 24});
        RailTask task;
        task.rail.name = name;
        task.rail.link = link;
        task.rail.mac = MacAddress::parse(mac);
        task.rail.interfaces = {{link, std::move(name), ""}};
        task.settings.neighbours = profile::NeighbourSettings{};
        rails.push_back(std::move(task));
    }

    profile::NeighbourSettings& wanted(std::size_t rail = 0) {
        return *rails.at(rail).settings.neighbours;
    }

    // The inventory of node2 on every rail.
    void listPeers() {
        for (RailTask& task : rails) {
            task.settings.neighbours->peers = {
                {"node2", "ens1", "10.0.1.2", std::string(kRightMac)},
                {"node2", "ens2", "10.0.2.2", std::string(kOtherMac)}};
        }
    }

    host::Neighbour& addStatic(IfIndex link,
                               std::string_view address,
                               std::string_view mac,
                               host::NeighbourState state) {
        host::Neighbour& entry = host.neighbours.add(link, address, mac);
        entry.state = state;
        return entry;
    }

    void setPending(IfIndex link) {
        host.files.addFile("/run/fabricctl/flush-pending/" +
                           std::to_string(link.number));
    }

    [[nodiscard]] Comparison look() const { return assess(host.reader(), scope()); }

    static const Finding* findingOf(const Comparison& comparison, std::string_view id) {
        const auto found = std::ranges::find(comparison.findings, id, &Finding::id);
        return found == comparison.findings.end() ? nullptr : &*found;
    }

    template <typename T>
    static std::vector<T> writesOfType(const Comparison& comparison) {
        std::vector<T> found;
        for (const Write& write : writesOf(comparison)) {
            if (const T* typed = std::get_if<T>(&write)) {
                found.push_back(*typed);
            }
        }
        return found;
    }
};

}  // namespace fabric::resource::neighbour
