// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/resource.hpp"

namespace fabric::resource::service {

// Resource `service`: ids
// service/UNIT/{drop-in,exec-start,limit-memlock,environment,process}.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);
// Of an image: the drop-in, made from the unit files in it. What is in force can only
// be told at boot.
[[nodiscard]] Comparison assessImage(const host::Reader& image, const Scope& scope);

}  // namespace fabric::resource::service
