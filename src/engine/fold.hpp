// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/executor.hpp"
#include "engine/report.hpp"

#include <span>
#include <vector>

namespace fabric::engine {

// What one look says, for `check` and `plan`. Pure.
[[nodiscard]] std::vector<ResourceReport> foldObserved(
    std::vector<resource::Assessment> observed);

// What an apply did: the look before, the look after, and what became of each step. A
// property is `changed` only when it was not as wanted before, a step for it was
// accepted, and the fresh look finds it as wanted. A step that failed makes its
// properties `failed` even when the value moved; the reason says to what. Pure.
[[nodiscard]] std::vector<ResourceReport> foldApplied(
    std::vector<resource::Assessment> before,
    const std::vector<resource::Assessment>& after,
    const std::vector<resource::Step>& steps,
    std::span<const StepResult> results);

}  // namespace fabric::engine
