// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "resource/step.hpp"

namespace fabric::engine {

// Carries out one write value. Success means accepted, never proven: a result code that
// the driver may use for anything (dcbnl positive codes) is success here, and the
// read-back decides.
[[nodiscard]] Result<void> carryOut(const resource::Write& write,
                                    const host::Writer& writer);

}  // namespace fabric::engine
