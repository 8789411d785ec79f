// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snapshot/whereabouts.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fabric::snapshot {

// The path of a kernel attribute without the names that may be others tomorrow:
// "/sys/class/net/{interface}/ecn/roce_np/enable/3".
struct Place {
    std::optional<IfIndex> link;  // whose names were taken out; empty: none were
    std::string text;
};

// Takes the names out of a path. `link`: the port that the write is for, none when it
// is for the host. An error when the path carries the name of a device that is not
// there.
[[nodiscard]] Result<Place> placeOf(Whereabouts& where,
                                    std::string_view path,
                                    IfIndex link);
// Puts the present names of the link in. An error when it has no such name now.
[[nodiscard]] Result<std::string> pathAt(Whereabouts& where,
                                         std::string_view place,
                                         const host::Link* link);
// Only the attributes of a net device, its RDMA device or its PCI function that placeOf
// gives places to are read or written, none by a climbing path.
[[nodiscard]] bool isAttributePlace(std::string_view place);

}  // namespace fabric::snapshot
