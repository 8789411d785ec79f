// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/resource.hpp"

namespace fabric::resource::dcb {

// The DCB resource: observes every physical port of the selected rails that own `dcb`
// with one request each, and compares. An answer that fails concerns its own port only.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);

}  // namespace fabric::resource::dcb
