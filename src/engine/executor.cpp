// SPDX-License-Identifier: Apache-2.0
#include "engine/executor.hpp"

#include "base/text.hpp"
#include "engine/carrier.hpp"
#include "engine/neighbour_room.hpp"
#include "engine/write.hpp"
#include "resource/dcb/explain.hpp"
#include "resource/rail_property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <utility>

namespace fabric::engine {

namespace {

using resource::Disturbs;
using resource::Step;

class Execution {
  public:
    Execution(const host::Reader& reader,
              const host::Writer& writer,
              const ExecutionOptions& options)
        : reader_(reader),
          writer_(writer),
          options_(options),
          carrier_(reader, options),
          neighbours_(reader, writer) {}

    StepResult run(const Step& step) {
        if (const auto signal = options_.stopRequested()) {
            return notAttempted("not attempted: " + *signal);
        }
        leaveUnless(step.rail);
        if (step.disturbs == Disturbs::link && !carrier_.lostRail().empty() &&
            carrier_.lostRail() != step.rail) {
            return notAttempted(carrier_.lostRail() + " did not come back");
        }
        options_.onStep(step);
        if (step.disturbs == Disturbs::link) {
            carrier_.expectBounce(step);
        }
        return write(step);
    }

    void finish() {
        leaveUnless({});
        for (resource::Finding& finding : neighbours_.awaitAnswers()) {
            options_.onFinding(std::move(finding));
        }
    }

    // True when this step was tried on a rail whose link went down and stayed down.
    [[nodiscard]] bool cutOff(const Step& step) const {
        return step.disturbs == Disturbs::link && lost_.contains(step.rail);
    }

  private:
    void leaveUnless(const std::string& rail) {
        if (const auto lost = carrier_.leaveUnless(rail)) {
            lost_.insert(*lost);
        }
    }

    // Empty while the paths of this step still belong to its interface.
    [[nodiscard]] std::optional<Error> movedAway(const Step& step) const {
        if (step.linkName.empty()) {
            return std::nullopt;
        }
        auto named =
            resource::stillNamed(reader_.links, step.link, step.linkName, step.summary);
        return named ? std::nullopt : std::optional(std::move(named.error()));
    }

    static StepResult notAttempted(std::string reason) {
        StepResult result;
        result.notAttempted = std::move(reason);
        return result;
    }

    // A refusal of DCB often has a cause that the errno does not say: firmware that
    // owns DCBX, a buffer that is too small.
    void explain(const resource::Write& change, Error& error) const {
        if (const auto* const dcb = std::get_if<resource::DcbWrite>(&change)) {
            const std::string cause =
                resource::dcb::explainFailedWrite(reader_, dcb->request, error);
            error.advice = cause.empty() ? error.advice : cause;
        }
    }

    StepResult write(const Step& step) {
        StepResult result{.attempted = true, .accepted = true};
        for (const resource::Write& change : step.writes) {
            if (const auto signal = options_.stopRequested();
                signal && &change != &step.writes.front()) {
                result.accepted = false;
                result.error = Error{.kind = ErrorKind::refused,
                                     .action = step.summary,
                                     .subject = step.rail,
                                     .sysErrno = 0,
                                     .detail = "stopped halfway: " + *signal,
                                     .advice = "run apply again to complete it"};
                break;
            }
            if (auto moved = movedAway(step)) {
                result.accepted = false;
                result.error = std::move(moved);
                break;
            }
            auto written = carryOut(change, writer_, neighbours_);
            options_.onWrite(step, change, written);
            if (!written) {
                result.accepted = false;
                result.error = std::move(written.error());
                explain(change, *result.error);
                result.error->subject =
                    result.error->subject.empty() ? step.rail : result.error->subject;
                break;
            }
            result.note = result.note.empty() ? std::move(written->note) : result.note;
        }
        if (result.accepted) {
            std::ranges::for_each(step.consequences, options_.onFinding);
        }
        return result;
    }

    const host::Reader& reader_;
    const host::Writer& writer_;
    const ExecutionOptions& options_;
    CarrierGuard carrier_;
    NeighbourRoom neighbours_;
    std::set<std::string> lost_;  // rails whose link did not come back
};

Error didNotComeBack(const Step& step, const ExecutionOptions& options) {
    Error error{
        .kind = ErrorKind::timeout,
        .action = step.summary,
        .subject = escapeForTerminal(step.rail),
        .detail = fmt::format(
            "{} did not come back within {} s",
            escapeForTerminal(step.rail),
            std::chrono::duration_cast<std::chrono::seconds>(options.carrierDeadline)
                .count()),
        .advice =
            "look at the link with 'ip -s link' and at the switch port, then run "
            "apply again"};
    if (const auto signal = options.stopRequested()) {
        error.detail = "its link went down and was not waited for: " + *signal;
    }
    return error;
}

}  // namespace

std::vector<StepResult> execute(const std::vector<Step>& plan,
                                const host::Reader& reader,
                                const host::Writer& writer,
                                const ExecutionOptions& options) {
    Execution execution(reader, writer, options);
    std::vector<StepResult> results;
    results.reserve(plan.size());
    for (const Step& step : plan) {
        results.push_back(execution.run(step));
    }
    execution.finish();
    for (std::size_t at = 0; at < plan.size(); ++at) {
        if (results[at].attempted && !results[at].error && execution.cutOff(plan[at])) {
            results[at].error = didNotComeBack(plan[at], options);
        }
    }
    return results;
}

}  // namespace fabric::engine
