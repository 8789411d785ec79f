// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batch.hpp"
#include "engine/preparation.hpp"

#include <map>
#include <string>
#include <vector>

namespace fabric::engine {

// What a limit on disturbance (--max-disruption) keeps from being written: the reason
// and the fix, by the id of the property.
struct HeldBack {
    struct Answer {
        std::string reason;  // "not attempted: --max-disruption traffic: …"
        std::string fix;
    };

    std::map<std::string, Answer, std::less<>> byId;
};

// Orders the steps of a comparison. Under a limit each batch with a step that would
// disturb more is taken out as a whole, and its differences are `failed`. Pure.
[[nodiscard]] HeldBack decideSteps(resource::Comparison& comparison,
                                   const RunOptions& options);

// Gives a later look the same answer. What it finds as wanted stays so. Pure.
void markHeldBack(const HeldBack& held, std::vector<resource::Assessment>& assessments);

}  // namespace fabric::engine
