// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/neighbour_room.hpp"
#include "host/host.hpp"
#include "resource/step.hpp"

#include <optional>
#include <string>

namespace fabric::engine {

// An accepted write; `note` says what a result code that proves nothing may mean.
struct Acceptance {
    std::string note;
    std::optional<host::PciWordUpdate> word = std::nullopt;  // of a PciCapabilityWrite
};

// Carries out one write value. Success means accepted, never proven: the read-back
// decides.
[[nodiscard]] Result<Acceptance> carryOut(const resource::Write& write,
                                          const host::Writer& writer,
                                          NeighbourRoom& neighbours);

}  // namespace fabric::engine
