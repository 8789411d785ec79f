// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profile.hpp"
#include "resource/assessment.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::engine {

enum class Outcome {
    inSync,
    changed,
    drifted,
    failed,
    unsupported,
    unreadable,
    skipped,
    notApplicable
};

[[nodiscard]] std::string_view toString(Outcome outcome);

// The exit codes, the same for every verb; fabricctl(8).
enum class ExitCode : int {
    asWanted = 0,
    couldNotRun = 1,
    differences = 2,
    someFailed = 3,
    locked = 4,
    profileInvalid = 5,
    unverifiable = 6,
};

// What one outcome alone would make of the exit code.
[[nodiscard]] ExitCode exitCodeOf(Outcome outcome);
// The worse of two: 5, 4, 1, 3, 6, 2, 0.
[[nodiscard]] ExitCode worse(ExitCode left, ExitCode right);

// One property after the run: the assessment and what became of it.
struct ResourceReport {
    resource::Assessment assessment;
    Outcome outcome = Outcome::unreadable;
    Value after;  // read back after writing; null when nothing was written for it
};

// Everything that one run has to say. Text, JSON and the exit code are made from this
// object only, so that they cannot disagree.
struct Report {
    std::string command;  // "apply"
    std::string profileName;
    std::string profilePath;
    std::string host;
    std::string image;  // --root: the directory that all paths are in; "" this host
    std::string bootId;
    std::chrono::system_clock::time_point started;
    std::chrono::microseconds duration{0};
    std::vector<ResourceReport> resources;
    std::vector<resource::Finding> findings;
    std::vector<resource::Step>
        steps;                      // planned (plan) or carried out (apply), in order
    profile::ProfileErrors errors;  // an invalid profile
    std::optional<Error> stopped;   // why nothing could be run (lock, capability)
    bool unrecorded =
        false;             // a file that was to be written with it (--report) was not
    bool locked = false;   // `stopped`: another run holds the lock
    bool changed = false;  // at least one property was changed by this run
    bool detailedExitCode =
        false;  // apply --detailed-exitcode: 2 when something was changed

    [[nodiscard]] ExitCode exitCode() const;
    // converged, differs, partial, failed, unverifiable
    [[nodiscard]] std::string_view result() const;
};

}  // namespace fabric::engine
