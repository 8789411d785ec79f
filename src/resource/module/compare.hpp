// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/module/state.hpp"
#include "resource/resource.hpp"

namespace fabric::resource::kernel_module {

// Pure: one assessment per module. It is as wanted when it is loaded or built in, and
// our file of modules-load.d names it, and nothing keeps a boot from loading it.
[[nodiscard]] Comparison compare(const State& state,
                                 const inventory::Platform& platform);

}  // namespace fabric::resource::kernel_module
