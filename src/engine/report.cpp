// SPDX-License-Identifier: Apache-2.0
#include "engine/report.hpp"

#include <algorithm>
#include <array>

namespace fabric::engine {

std::string_view toString(Outcome outcome) {
    switch (outcome) {
        case Outcome::inSync:
            return "in-sync";
        case Outcome::changed:
            return "changed";
        case Outcome::drifted:
            return "drifted";
        case Outcome::failed:
            return "failed";
        case Outcome::unsupported:
            return "unsupported";
        case Outcome::unreadable:
            return "unreadable";
        case Outcome::skipped:
            return "skipped";
        case Outcome::notApplicable:
            return "not-applicable";
    }
    return "unreadable";
}

ExitCode exitCodeOf(Outcome outcome) {
    switch (outcome) {
        case Outcome::inSync:
        case Outcome::changed:
        case Outcome::notApplicable:
        case Outcome::skipped:
            return ExitCode::asWanted;
        case Outcome::drifted:
            return ExitCode::differences;
        case Outcome::failed:
        case Outcome::unsupported:
            return ExitCode::someFailed;
        case Outcome::unreadable:
            return ExitCode::unverifiable;
    }
    return ExitCode::unverifiable;
}

ExitCode worse(ExitCode left, ExitCode right) {
    constexpr std::array kWorstFirst{ExitCode::profileInvalid,
                                     ExitCode::locked,
                                     ExitCode::couldNotRun,
                                     ExitCode::someFailed,
                                     ExitCode::unverifiable,
                                     ExitCode::differences,
                                     ExitCode::asWanted};
    return *std::ranges::find_if(
        kWorstFirst, [&](ExitCode code) { return code == left || code == right; });
}

ExitCode Report::exitCode() const {
    if (!errors.empty()) {
        return ExitCode::profileInvalid;
    }
    if (stopped) {
        // Other things are busy too: a device, a table that changed under every dump.
        return locked ? ExitCode::locked : ExitCode::couldNotRun;
    }
    if (unrecorded) {
        return ExitCode::couldNotRun;
    }
    const bool reportChanges = detailedExitCode && changed;
    ExitCode worst = reportChanges ? ExitCode::differences : ExitCode::asWanted;
    for (const ResourceReport& resource : resources) {
        worst = worse(worst, exitCodeOf(resource.outcome));
    }
    return worst;
}

std::string_view Report::result() const {
    const bool somethingRight =
        std::ranges::any_of(resources, [](const ResourceReport& resource) {
            return resource.outcome == Outcome::inSync ||
                   resource.outcome == Outcome::changed;
        });
    ExitCode worst =
        errors.empty() && !stopped ? ExitCode::asWanted : ExitCode::couldNotRun;
    for (const ResourceReport& resource : resources) {
        worst = worse(worst, exitCodeOf(resource.outcome));
    }
    switch (worst) {
        case ExitCode::asWanted:
            return "converged";
        case ExitCode::differences:
            return "differs";
        case ExitCode::unverifiable:
            return "unverifiable";
        default:
            return somethingRight ? "partial" : "failed";
    }
}

}  // namespace fabric::engine
