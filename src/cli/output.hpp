// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "doctor/diagnosis.hpp"
#include "engine/confirm.hpp"
#include "engine/report.hpp"
#include "engine/status.hpp"
#include "report/text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::cli {

// Prints a whole report in the wanted format: results on stdout; as text, profile
// errors and the reason why nothing could run on stderr. Returns the exit code; a
// stdout that cannot be written (full disk, closed pipe) makes it "could not run".
// `confirm`: what the run waits for.
[[nodiscard]] int print(const engine::Report& report,
                        const Options& options,
                        const std::optional<engine::Confirm>& confirm = std::nullopt);

// The same of a status.
[[nodiscard]] int printStatus(const engine::Status& status, const Options& options);

// The same of a diagnosis.
[[nodiscard]] int printDiagnosis(const doctor::Diagnosis& diagnosis,
                                 const Options& options);

// Opens what the caller left closed of standard input, output and error. Without it the
// next file or socket takes such a number, and a report is written into the run lock or
// into a netlink socket. False when that failed.
[[nodiscard]] bool keepStandardStreams();

// Text to stdout, checked: the exit code `code`, or "could not run" when that is worse.
[[nodiscard]] int printOut(std::string_view text, engine::ExitCode code);

// Ends on help, version or a bad command line. With --format json among the arguments a
// bad command line is also one JSON document.
[[nodiscard]] int finish(const Ending& ending,
                         const std::vector<std::string>& arguments);

// Nothing could be run, for one reason, in the wanted format.
[[nodiscard]] int stopWith(std::string command, Error error, const Options& options);

// An exception that no room expected.
[[nodiscard]] int reportCrash(std::string_view what,
                              const std::vector<std::string>& arguments);

// --color and the terminal decide.
[[nodiscard]] bool useColor(const Options& options);

// One line on stderr that a person or the journal should see.
void warn(std::string_view text);

// A progress line on stderr, only when a person watches.
void progress(const Options& options, std::string_view text);

}  // namespace fabric::cli
