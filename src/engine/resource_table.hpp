// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/resource.hpp"

#include <span>

namespace fabric::engine {

// Every kind of resource that a profile can own, in the order of the report. A new
// resource is one line here.
[[nodiscard]] std::span<const resource::Resource> resourceTable();

}  // namespace fabric::engine
