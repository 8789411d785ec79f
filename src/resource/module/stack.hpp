// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/module/state.hpp"

#include <vector>

namespace fabric::resource::kernel_module {

// Modules whose builds do not fit: the RDMA core from the kernel and a driver from
// elsewhere (or the reverse), and loaded modules that are not the installed ones. Pure.
[[nodiscard]] std::vector<Finding> stackFindings(const State& state);

}  // namespace fabric::resource::kernel_module
