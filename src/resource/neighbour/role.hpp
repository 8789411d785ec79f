// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/neighbours.hpp"

#include <string_view>

namespace fabric::resource::neighbour {

// What a flush makes of an entry of the neighbour cache.
enum class Role {
    dynamic,     // learned, with a MAC: flushed
    unresolved,  // no MAC yet, or none came: nothing to flush
    fixed,       // PERMANENT or NOARP: somebody set it; deleted only when asked
    foreign,     // extern_learn, managed or proxy: another program's; never deleted
    kernel,      // multicast: computed, not learned
};

// `ip neigh flush` also deletes extern_learn and managed entries, PERMANENT ones among
// them; this never does.
[[nodiscard]] Role roleOf(const host::Neighbour& entry);

// "REACHABLE", "PERMANENT", ... as ip-neighbour(8) has them.
[[nodiscard]] std::string_view stateName(host::NeighbourState state);

}  // namespace fabric::resource::neighbour
