// SPDX-License-Identifier: Apache-2.0
#include "engine/fold.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace fabric::engine {

namespace {

using resource::Assessment;
using resource::Verdict;

Outcome outcomeOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::inSync:
            return Outcome::inSync;
        case Verdict::differs:
            return Outcome::drifted;
        case Verdict::failed:
            return Outcome::failed;
        case Verdict::unsupported:
            return Outcome::unsupported;
        case Verdict::unreadable:
            return Outcome::unreadable;
        case Verdict::skipped:
            return Outcome::skipped;
        case Verdict::notApplicable:
            return Outcome::notApplicable;
    }
    return Outcome::unreadable;
}

struct StepsOfOne {
    bool accepted = false;     // at least one step for it was accepted
    std::string note;          // what an accepting answer may mean that proves nothing
    std::string notAttempted;  // the first reason for one that was not tried
    std::optional<Error> error;  // the first failure
};

using StepsById = std::map<std::string, StepsOfOne, std::less<>>;

StepsById collect(const std::vector<resource::Step>& steps,
                  std::span<const StepResult> results) {
    StepsById byId;
    for (std::size_t at = 0; at < steps.size() && at < results.size(); ++at) {
        for (const std::string& id : steps[at].ids) {
            StepsOfOne& one = byId[id];
            one.accepted = one.accepted || results[at].accepted;
            if (!results[at].notAttempted.empty() && one.notAttempted.empty()) {
                one.notAttempted = results[at].notAttempted;
            }
            if (one.note.empty()) {
                one.note = results[at].note;
            }
            if (results[at].error && !one.error) {
                one.error = results[at].error;
            }
        }
    }
    return byId;
}

std::string readBackText(const Assessment& before, const Assessment& after) {
    if (after.verdict == Verdict::unreadable) {
        return "could not be read back: " + after.reason;
    }
    if (after.found == before.found) {
        return "the value is still " + after.found.toText();
    }
    return "the value moved from " + before.found.toText() + " to " +
           after.found.toText();
}

void judgeFailedStep(ResourceReport& report,
                     const StepsOfOne& steps,
                     const Assessment& after) {
    Assessment& assessment = report.assessment;
    report.outcome = Outcome::failed;
    assessment.reason = steps.error->message() + "; " + readBackText(assessment, after);
    if (!steps.error->advice.empty()) {
        assessment.fix = steps.error->advice;
    }
}

// No step failed, and a fresh look still differs.
void judgeUnmoved(ResourceReport& report,
                  const StepsOfOne* steps,
                  const Assessment& after) {
    Assessment& assessment = report.assessment;
    if (steps != nullptr && !steps->notAttempted.empty()) {
        report.outcome = Outcome::failed;
        assessment.reason = steps->notAttempted;
    } else if (steps != nullptr && steps->accepted) {
        report.outcome = Outcome::failed;
        assessment.reason = "the write was accepted, but " +
                            readBackText(assessment, after) +
                            (steps->note.empty() ? "" : "; " + steps->note) +
                            (after.reason.empty() ? "" : " (" + after.reason + ")");
    } else if (assessment.beyondApply) {
        report.outcome = Outcome::drifted;
    } else {
        report.outcome = Outcome::failed;
        assessment.reason = after.reason;
    }
    if (!after.fix.empty()) {
        assessment.fix = after.fix;
    }
}

// What was seen before the run and is not any more has not become inapplicable: a
// getter that fails looks like a control that is not there. Of an ACS bit that only the
// control register showed nothing is left once it is cleared; that register is read.
bool lostFromSight(const Assessment& before, const Assessment& after) {
    const bool wasSeen =
        before.verdict == Verdict::inSync || before.verdict == Verdict::differs;
    const bool stillSeen = after.kind == resource::Kind::acs && !after.found.isNull();
    return wasSeen && !stillSeen && after.verdict == Verdict::notApplicable;
}

bool mayGo(const Assessment& before, const StepsOfOne* steps, const Assessment* after) {
    const bool failed = steps != nullptr && steps->error;
    return before.goneIsAsWanted && !failed &&
           (after == nullptr || after->verdict == Verdict::notApplicable);
}

// An entry that may go: nothing of it is left, or nothing that could be wrong.
void judgeGone(ResourceReport& report,
               const StepsOfOne* steps,
               const Assessment* after) {
    const bool ours = steps != nullptr && steps->accepted;
    const bool differed = report.assessment.verdict == Verdict::differs;
    report.outcome = after != nullptr ? outcomeOf(after->verdict) : Outcome::inSync;
    report.outcome = ours && differed ? Outcome::changed : report.outcome;
    if (after != nullptr) {
        report.assessment.reason = after->reason;
        report.assessment.fix = after->fix;
    }
    if (steps != nullptr) {
        report.after = after != nullptr ? after->found : Value("gone");
    }
}

void judge(ResourceReport& report, const StepsOfOne* steps, const Assessment& after) {
    const bool differed =
        report.assessment.verdict == Verdict::differs || report.assessment.onEveryApply;
    if (steps != nullptr && steps->error) {
        judgeFailedStep(report, *steps, after);
    } else if (after.verdict == Verdict::differs) {
        judgeUnmoved(report, steps, after);
    } else if (report.assessment.onEveryApply && steps != nullptr &&
               !steps->notAttempted.empty()) {
        report.outcome = Outcome::failed;
        report.assessment.reason = steps->notAttempted;
    } else if (lostFromSight(report.assessment, after)) {
        report.outcome = Outcome::unreadable;
        report.assessment.reason =
            "it was there before the run and cannot be seen now: " + after.reason;
        report.assessment.fix = "run 'fabricctl check'";
    } else {
        const bool ours =
            steps != nullptr && steps->accepted && after.verdict == Verdict::inSync;
        report.outcome = ours && differed ? Outcome::changed : outcomeOf(after.verdict);
        if (after.verdict != Verdict::inSync) {
            report.assessment.reason = after.reason;
            report.assessment.fix = after.fix;
        }
    }
    if (steps != nullptr) {
        report.after = after.found;
    }
}

// What stands for an assessment that the second look does not have.
Assessment vanished(const Assessment& before) {
    Assessment gone = before;
    gone.verdict = Verdict::unreadable;
    gone.found = {};
    gone.reason = "it was there before the run and is gone now";
    gone.fix = "run 'fabricctl check'";
    return gone;
}

// What only the look after the writes shows: the run made or met it, and says so.
void addNew(const std::vector<Assessment>& after,
            const std::set<std::string, std::less<>>& known,
            std::vector<ResourceReport>& reports) {
    for (const Assessment& assessment : after) {
        if (known.contains(assessment.id)) {
            continue;
        }
        const bool unmet =
            assessment.verdict == Verdict::differs && !assessment.beyondApply;
        reports.push_back(
            {.assessment = assessment,
             .outcome = unmet ? Outcome::failed : outcomeOf(assessment.verdict),
             .after = {}});
        if (unmet) {
            reports.back().assessment.reason +=
                " (appeared while the run was under way)";
        }
    }
}

}  // namespace

std::vector<ResourceReport> foldObserved(std::vector<Assessment> observed) {
    std::vector<ResourceReport> reports;
    reports.reserve(observed.size());
    for (Assessment& assessment : observed) {
        const Outcome outcome = outcomeOf(assessment.verdict);
        reports.push_back(
            {.assessment = std::move(assessment), .outcome = outcome, .after = {}});
    }
    return reports;
}

std::vector<ResourceReport> foldApplied(std::vector<Assessment> before,
                                        const std::vector<Assessment>& after,
                                        const std::vector<resource::Step>& steps,
                                        std::span<const StepResult> results) {
    const StepsById byId = collect(steps, results);
    std::map<std::string_view, const Assessment*> freshById;
    for (const Assessment& assessment : after) {
        freshById.emplace(assessment.id, &assessment);
    }
    std::set<std::string, std::less<>> known;
    std::ranges::transform(before, std::inserter(known, known.end()), &Assessment::id);
    std::vector<ResourceReport> reports = foldObserved(std::move(before));
    for (ResourceReport& report : reports) {
        const auto fresh = freshById.find(report.assessment.id);
        const auto own = byId.find(report.assessment.id);
        const Assessment* const seen =
            fresh == freshById.end() ? nullptr : fresh->second;
        const StepsOfOne* const done = own == byId.end() ? nullptr : &own->second;
        if (mayGo(report.assessment, done, seen)) {
            judgeGone(report, done, seen);
        } else {
            judge(report, done, seen == nullptr ? vanished(report.assessment) : *seen);
        }
    }
    addNew(after, known, reports);
    return reports;
}

}  // namespace fabric::engine
