// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/assessment.hpp"
#include "resource/step.hpp"

#include <set>
#include <string>
#include <vector>

namespace fabric::engine {

// Steps of a plan that are only worth something together: half of what a rail needs may
// be worse than nothing (lossless marking without PFC).
struct Batch {
    std::string name;             // "rail1", "rail1 and rail2", "the service"
    std::set<std::string> rails;  // empty: of the host
    std::vector<resource::Step> steps;
};

// The batches of an ordered plan, in the order of their first step. A rail is one.
// Rails that a step serves together (conf.all of `scope: all`) or that share a physical
// port are one. Of the host each stage is one: modules, ACS, the sysctl.d file, the
// service. Pure.
[[nodiscard]] std::vector<Batch> batchesOf(
    std::vector<resource::Step> ordered,
    const std::vector<resource::Assessment>& assessments);

// The same the other way round.
[[nodiscard]] std::vector<resource::Step> stepsOf(std::vector<Batch> batches);

}  // namespace fabric::engine
