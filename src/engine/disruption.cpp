// SPDX-License-Identifier: Apache-2.0
#include "engine/disruption.hpp"

#include "base/text.hpp"
#include "engine/planner.hpp"
#include "resource/arp/persistent_file.hpp"
#include "resource/arp/sysctl_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace fabric::engine {

namespace {

using resource::Assessment;
using resource::Disturbs;
using resource::Step;
using resource::Verdict;

constexpr std::string_view kPersist = "persist";  // resource/arp: lines of our file

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
    for (const std::string& rail : batch.rails) {
        held.byRail.emplace(rail, answer);
    }
    return true;
}

resource::FileReplace* sharedFileOf(Step& step) {
    for (resource::Write& write : step.writes) {
        auto* const file = std::get_if<resource::FileReplace>(&write);
        if (file != nullptr && file->path == resource::arp::kOurSysctlFile) {
            return file;
        }
    }
    return nullptr;
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

void leaveSharedLines(const std::string& present,
                      HeldBack& held,
                      resource::Comparison& comparison) {
    std::set<std::string> interfaces;
    for (const Assessment& assessment : comparison.assessments) {
        const auto rail = held.byRail.find(assessment.rail);
        if (rail != held.byRail.end() && assessment.property == kPersist) {
            interfaces.insert(assessment.device);
            held.byId.emplace(assessment.id, rail->second);
        }
    }
    if (interfaces.empty()) {
        return;
    }
    std::erase_if(comparison.steps, [&](Step& step) {
        resource::FileReplace* const file = sharedFileOf(step);
        if (file == nullptr) {
            return false;
        }
        file->text = resource::arp::leaveLinesOf(interfaces, present, file->text);
        std::erase_if(step.ids,
                      [&](const std::string& id) { return held.byId.contains(id); });
        return step.ids.empty();
    });
    markHeldBack(held, comparison.assessments);
}

void leaveSharedLines(const host::FileReader& files,
                      HeldBack& held,
                      resource::Comparison& comparison) {
    if (!held.byRail.empty()) {
        // Without a file there are no lines to stay; one that cannot be read has no
        // step.
        leaveSharedLines(
            files.read(resource::arp::kOurSysctlFile).value_or(""), held, comparison);
    }
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
