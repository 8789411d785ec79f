// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"

#include <string>

namespace fabric::resource {

// The one intent that is stored: between the change of a link's ARP settings and the
// verified flush of what was learned before, this file exists, so that a run that was
// killed in between is completed by the next. It is made before the first ARP write on
// the link, named by ifindex, and gone after a boot like the settings themselves.
inline constexpr const char* kFlushPendingDirectory = "/run/fabricctl/flush-pending";

[[nodiscard]] inline std::string flushPendingPath(IfIndex link) {
    return std::string(kFlushPendingDirectory) + "/" + std::to_string(link.number);
}

}  // namespace fabric::resource
