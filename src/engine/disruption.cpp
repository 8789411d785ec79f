// SPDX-License-Identifier: Apache-2.0
#include "engine/disruption.hpp"

#include "base/text.hpp"
#include "engine/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::engine {

namespace {

using resource::Assessment;
using resource::Disturbs;
using resource::Step;
using resource::Verdict;

std::string_view whatItDisturbs(Disturbs disturbs) {
    return disturbs == Disturbs::link ? "the link" : "traffic";
}

HeldBack::Answer answerFor(const Step& worst, Disturbs limit) {
    return {.reason =
                fmt::format("not attempted: --max-disruption {}: '{}' would disturb {}",
                            resource::toString(limit),
                            escapeForTerminal(worst.summary),
                            whatItDisturbs(worst.disturbs)),
            .fix = fmt::format("when {} may be disturbed, run apply with "
                               "--max-disruption {}",
                               whatItDisturbs(worst.disturbs),
                               resource::toString(worst.disturbs))};
}

// True when the batch goes, with what is said about it in `held`.
bool exceeds(const Batch& batch, Disturbs limit, HeldBack& held) {
    const auto worst = std::ranges::max_element(batch.steps, {}, &Step::disturbs);
    if (worst->disturbs <= limit) {
        return false;
    }
    const HeldBack::Answer answer = answerFor(*worst, limit);
    for (const Step& step : batch.steps) {
        for (const std::string& id : step.ids) {
            held.byId.emplace(id, answer);
        }
    }
    return true;
}

}  // namespace

HeldBack decideSteps(resource::Comparison& comparison, const RunOptions& options) {
    HeldBack held;
    comparison.steps = orderSteps(std::move(comparison.steps));
    if (!options.maxDisruption) {
        return held;
    }
    std::vector<Batch> batches =
        batchesOf(std::move(comparison.steps), comparison.assessments);
    std::erase_if(batches, [&](const Batch& batch) {
        return exceeds(batch, *options.maxDisruption, held);
    });
    comparison.steps = stepsOf(std::move(batches));
    markHeldBack(held, comparison.assessments);
    return held;
}

void markHeldBack(const HeldBack& held, std::vector<Assessment>& assessments) {
    for (Assessment& assessment : assessments) {
        const auto answer = held.byId.find(assessment.id);
        if (answer == held.byId.end() ||
            (assessment.verdict != Verdict::differs && !assessment.onEveryApply)) {
            continue;
        }
        assessment.verdict = Verdict::failed;
        assessment.onEveryApply = false;
        assessment.reason = answer->second.reason;
        assessment.fix = answer->second.fix;
    }
}

}  // namespace fabric::engine
