// SPDX-License-Identifier: Apache-2.0
#include "resource/neighbour/neighbour.hpp"
#include "resource/neighbour/role.hpp"

#include <map>
#include <set>

namespace fabric::resource::neighbour {

namespace {

// Where one MAC was seen.
struct Sighting {
    std::set<std::string> rails;
    std::set<IpAddress> addresses;
    std::string text;
};

constexpr std::size_t kShown = 8;

}  // namespace

std::vector<Finding> sharedMacHints(const State& state) {
    std::map<MacAddress, Sighting> byMac;
    for (const auto& [link, interface] : state.interfaces) {
        for (const host::Neighbour& entry : interface.entries) {
            const Role role = roleOf(entry);
            const bool counts = role == Role::dynamic || role == Role::fixed;
            if (!counts || !entry.mac || entry.key.address.isLinkLocal()) {
                continue;
            }
            Sighting& seen = byMac[*entry.mac];
            seen.rails.insert(interface.rail);
            seen.addresses.insert(entry.key.address);
            if (seen.addresses.size() <= kShown) {
                seen.text += (seen.text.empty() ? "" : ", ") +
                             entry.key.address.text() + " on " + interface.name;
            }
        }
    }
    std::vector<Finding> hints;
    for (const auto& [mac, seen] : byMac) {
        if (seen.rails.size() > 1 && seen.addresses.size() > 1) {
            hints.push_back(
                {.id = "neighbour.same-mac",
                 .severity = Severity::warn,
                 .summary = "a hint, no proof: " + mac.text() +
                            " is cached for addresses on several rails; a peer may "
                            "answer on the wrong rail, or have only one interface",
                 .evidence = seen.text,
                 .fix = "list the peers under neighbours.peers (fabricctl peers export "
                        "on each of them), or ask one: fabricctl status --audit "
                        "ADDRESS"});
        }
    }
    return hints;
}

}  // namespace fabric::resource::neighbour
