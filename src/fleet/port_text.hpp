// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lossless.hpp"
#include "fleet/trait.hpp"

#include <string>
#include <utility>
#include <vector>

namespace fabric::fleet {

struct PortText {
    std::string text;
    bool known = true;
};

// What one physical port says of the traits that make it lossless. What its driver has
// no control for is a value like any other; what could not be read is not. Pure.
[[nodiscard]] std::vector<std::pair<Trait, PortText>> portTexts(
    const engine::PortObservation& port);

}  // namespace fabric::fleet
