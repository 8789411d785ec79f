// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/write.hpp"
#include "host/host.hpp"
#include "resource/assessment.hpp"
#include "resource/step.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fabric::engine {

// The name of the signal that asked to stop ("SIGTERM"), or std::nullopt.
using StopRequested = std::function<std::optional<std::string>()>;

inline constexpr std::chrono::seconds kCarrierDeadline{15};

struct ExecutionOptions {
    StopRequested stopRequested = [] { return std::nullopt; };
    std::chrono::milliseconds carrierDeadline = kCarrierDeadline;
    // Called once, when everything is ready for the first write, with what was found.
    std::function<void(const std::vector<resource::Assessment>&)> onBegin =
        [](const std::vector<resource::Assessment>&) {};
    // Called before each step, for progress on the terminal.
    std::function<void(const resource::Step&)> onStep = [](const resource::Step&) {};
    // Called after each write with what it was answered.
    std::function<void(
        const resource::Step&, const resource::Write&, const Result<Acceptance>&)>
        onWrite = [](const resource::Step&,
                     const resource::Write&,
                     const Result<Acceptance>&) {};
    // Called with what follows from an accepted step, and with what came to light while
    // its effects were awaited.
    std::function<void(resource::Finding)> onFinding = [](const resource::Finding&) {};
};

// What became of one step of the plan.
struct StepResult {
    bool attempted = false;
    bool accepted = false;     // every write was accepted (not: proven)
    std::string note;          // what an accepting answer that proves nothing may mean
    std::string notAttempted;  // why it was not tried: "not attempted: SIGTERM"
    std::optional<Error> error;  // of the write that failed
};

// Carries out an ordered plan, one result per step in the same order. A step that
// failed never keeps the next from being tried; a signal does, after the write under
// way. After the link steps of a rail whose carrier was up it waits for the carrier;
// when that does not return, those steps have failed, and link steps of other rails are
// not attempted. A step whose paths carry a name that its interface no longer bears
// (Step::linkName) is not written.
[[nodiscard]] std::vector<StepResult> execute(const std::vector<resource::Step>& plan,
                                              const host::Reader& reader,
                                              const host::Writer& writer,
                                              const ExecutionOptions& options);

}  // namespace fabric::engine
