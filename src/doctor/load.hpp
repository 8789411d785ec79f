// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/evidence.hpp"

#include <cstdint>

namespace fabric::doctor {

// Anything less may be keep-alive traffic.
inline constexpr std::uint64_t kLoadBytes = std::uint64_t{1} << 20U;

// Whether data went by between the two looks: on a rail by RDMA, or as the server's own
// metrics tell it.
[[nodiscard]] bool underLoad(const Evidence& evidence);

}  // namespace fabric::doctor
