// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/state.hpp"

namespace fabric::resource::dcb {

std::set<Priority> Pfc::priorities() const {
    std::set<Priority> found;
    for (std::uint8_t priority = 0; priority < kPriorityCount; ++priority) {
        if (((enabled >> priority) & 1U) != 0) {
            found.insert(Priority::of(priority));
        }
    }
    return found;
}

std::map<Dscp, std::set<std::uint8_t>> State::dscpEntries() const {
    std::map<Dscp, std::set<std::uint8_t>> entries;
    if (!apps) {
        return entries;
    }
    for (const AppEntry& entry : *apps) {
        const auto dscp = Dscp::from(entry.protocol);
        if (entry.selector == kSelectorDscp && dscp) {
            entries[*dscp].insert(entry.priority);
        }
    }
    return entries;
}

}  // namespace fabric::resource::dcb
