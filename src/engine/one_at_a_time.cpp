// SPDX-License-Identifier: Apache-2.0
#include "engine/one_at_a_time.hpp"

#include "base/text.hpp"
#include "engine/fold.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace fabric::engine {

namespace {

using resource::Assessment;
using resource::Step;
using resource::Verdict;

bool isBad(Verdict verdict) {
    return verdict == Verdict::failed || verdict == Verdict::unsupported ||
           verdict == Verdict::unreadable;
}

bool isBad(Outcome outcome) {
    return outcome == Outcome::failed || outcome == Outcome::unsupported ||
           outcome == Outcome::unreadable;
}

class Canary {
  public:
    Canary(const std::vector<Batch>& batches,
           const host::Reader& reader,
           const host::Writer& writer,
           const CanaryLook& look,
           const ExecutionOptions& execution)
        : batches_(batches),
          reader_(reader),
          writer_(writer),
          look_(look),
          execution_(execution) {}

    std::vector<StepResult> run() {
        noteLaterIds();
        std::vector<StepResult> results;
        for (const Batch& batch : batches_) {
            std::ranges::move(runBatch(batch), std::back_inserter(results));
        }
        return results;
    }

  private:
    // What a rail wants and a step of the host does after all rails (persist): it is
    // not yet to be expected of the rail.
    void noteLaterIds() {
        for (const Batch& batch : batches_) {
            for (const Step& step : batch.steps) {
                if (step.rail.empty()) {
                    laterIds_.insert(step.ids.begin(), step.ids.end());
                }
            }
        }
    }

    std::vector<StepResult> runBatch(const Batch& batch) {
        const std::string why = whyNot(batch);
        // A signal has its own reason, which the executor gives.
        if (!why.empty() && !execution_.stopRequested()) {
            StepResult left;
            left.notAttempted = "not attempted: " + why + ", --one-at-a-time";
            return std::vector<StepResult>(batch.steps.size(), left);
        }
        std::vector<StepResult> results =
            execute(batch.steps, reader_, writer_, execution_);
        if (!asExpected(batch, results)) {
            failed_ = batch.name;
        }
        return results;
    }

    // "" when the batch may be carried out.
    [[nodiscard]] std::string whyNot(const Batch& batch) const {
        if (!failed_.empty()) {
            return escapeForTerminal(failed_) + " failed";
        }
        const bool afterRails =
            batch.rails.empty() && batch.steps.front().stage > resource::Stage::acs;
        const auto bad =
            std::ranges::find_if(look_.before, [](const Assessment& assessment) {
                return !assessment.rail.empty() && isBad(assessment.verdict);
            });
        return afterRails && bad != look_.before.end()
                   ? escapeForTerminal(bad->rail) + " is not as wanted"
                   : "";
    }

    [[nodiscard]] bool asExpected(const Batch& batch,
                                  const std::vector<StepResult>& results) const {
        std::vector<Assessment> before = look_.before;
        std::vector<Assessment> after = lookAgain(batch).assessments;
        const auto foreign = [&](const Assessment& assessment) {
            return !isAbout(batch, assessment);
        };
        std::erase_if(before, foreign);
        std::erase_if(after, foreign);
        std::set<std::string> knownBad;
        for (const Assessment& assessment : before) {
            if (isBad(assessment.verdict)) {
                knownBad.insert(assessment.id);
            }
        }
        return std::ranges::none_of(
            foldApplied(std::move(before), after, batch.steps, results),
            [&](const ResourceReport& report) {
                return isBad(report.outcome) &&
                       !knownBad.contains(report.assessment.id);
            });
    }

    [[nodiscard]] bool isAbout(const Batch& batch, const Assessment& assessment) const {
        if (!batch.rails.empty()) {
            return batch.rails.contains(assessment.rail) &&
                   !laterIds_.contains(assessment.id);
        }
        return std::ranges::any_of(batch.steps, [&](const Step& step) {
            return std::ranges::find(step.ids, assessment.id) != step.ids.end();
        });
    }

    // At the kinds that the batch is about; of a rail, only at that rail.
    [[nodiscard]] resource::Comparison lookAgain(const Batch& batch) const {
        Preparation preparation = look_.preparation;
        RunOptions options = look_.options;
        options.only.clear();
        for (const Assessment& assessment : look_.before) {
            if (isAbout(batch, assessment)) {
                options.only.insert(assessment.kind);
            }
        }
        if (!batch.rails.empty()) {
            options.rail = *batch.rails.begin();
            std::erase_if(preparation.rails, [&](const resource::RailTask& task) {
                return !batch.rails.contains(task.rail.name);
            });
        }
        return assessAll(reader_, look_.profile, preparation, options);
    }

    const std::vector<Batch>& batches_;
    const host::Reader& reader_;
    const host::Writer& writer_;
    const CanaryLook& look_;
    const ExecutionOptions& execution_;
    std::set<std::string> laterIds_;
    std::string failed_;  // the batch that did
};

}  // namespace

std::vector<StepResult> executeOneAtATime(const std::vector<Batch>& batches,
                                          const host::Reader& reader,
                                          const host::Writer& writer,
                                          const CanaryLook& look,
                                          const ExecutionOptions& execution) {
    return Canary(batches, reader, writer, look, execution).run();
}

}  // namespace fabric::engine
