// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/dcbnl.h>

#include <cstdint>

// The parts of dcbnl that the oldest supported kernel header does not name, and the
// sizes that this program relies on.
namespace fabric::resource::dcb::wire {

// enum ieee_attrs, Linux 6.2 and later (include/uapi/linux/dcbnl.h).
inline constexpr std::uint16_t kAppTrustTable = 11;
// enum ieee_attrs_app, Linux 6.2 and later: an APP entry whose selector is PCP.
inline constexpr std::uint16_t kNonStandardApp = 2;

static_assert(sizeof(ieee_ets) == 59);
static_assert(sizeof(ieee_pfc) == 136);
static_assert(sizeof(ieee_maxrate) == 64);
static_assert(sizeof(dcb_app) == 4);
static_assert(sizeof(dcbnl_buffer) == 44);

}  // namespace fabric::resource::dcb::wire
