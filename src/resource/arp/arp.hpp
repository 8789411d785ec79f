// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/resource.hpp"

namespace fabric::resource::arp {

// Resource `arp`: ids arp/INTERFACE/{arp-ignore,arp-announce,rp-filter,persist}, for
// every interface of a rail that owns an IPv4 address.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);

}  // namespace fabric::resource::arp
