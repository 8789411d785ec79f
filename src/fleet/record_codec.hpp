// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "fleet/record.hpp"

#include <string>
#include <string_view>

// Records as bytes, for the spill of the same process: no format that anybody else
// reads.
namespace fabric::fleet {

[[nodiscard]] std::string encoded(const HostRecord& host);
// An error when the bytes are not what encoded() made.
[[nodiscard]] Result<HostRecord> decoded(std::string_view bytes);

}  // namespace fabric::fleet
