// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/resource.hpp"

namespace fabric::resource::service {

// Resource `service`: ids
// service/UNIT/{drop-in,exec-start,limit-memlock,environment,process}.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);

}  // namespace fabric::resource::service
