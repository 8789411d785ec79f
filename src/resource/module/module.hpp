// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/resource.hpp"

// `module` is a word of the language at the start of a line; hence the namespace's
// name.
namespace fabric::resource::kernel_module {

// Kernel modules: loaded now, and listed in /etc/modules-load.d for every boot.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);
// Of an image: the list for every boot.
[[nodiscard]] Comparison assessImage(const host::Reader& image, const Scope& scope);

}  // namespace fabric::resource::kernel_module
