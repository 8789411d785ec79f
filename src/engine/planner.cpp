// SPDX-License-Identifier: Apache-2.0
#include "engine/planner.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace fabric::engine {

namespace {

enum class Phase { hostFirst, rails, hostLast };

Phase phaseOf(const resource::Step& step) {
    if (!step.rail.empty()) {
        return Phase::rails;
    }
    return step.stage <= resource::Stage::acs ? Phase::hostFirst : Phase::hostLast;
}

}  // namespace

std::vector<resource::Step> orderSteps(std::vector<resource::Step> steps) {
    std::ranges::stable_sort(steps, {}, [](const resource::Step& step) {
        return std::tuple(phaseOf(step), std::string_view(step.rail), step.stage);
    });
    return steps;
}

}  // namespace fabric::engine
