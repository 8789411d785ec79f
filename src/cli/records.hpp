// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "engine/boot.hpp"
#include "engine/confirm.hpp"
#include "engine/report.hpp"
#include "host/host.hpp"

#include <optional>
#include <vector>

namespace fabric::cli {

// What --report and --metrics leave behind, and one journal entry per property whose
// state is another than in the report that --report finds there. Prints the result too;
// the exit code, here and in all that is printed and written, is "could not run" when a
// file could not be written.
[[nodiscard]] int printAndRecord(
    const host::Reader& host,
    engine::Report report,
    const Options& options,
    const std::optional<engine::Confirm>& confirm = std::nullopt);

// A report that nobody can read, or a plan, is not a success: the file of `option`
// could not be written. The report says so itself, so that what is printed and what is
// written agree with the exit code of the process.
void noteUnrecorded(const char* option, const Error& error, engine::Report& report);

// The record of a boot's apply, for `apply --boot`. Written when it is made, so that
// device events from now on start a run of their own, and again at the end.
class BootRecording {
  public:
    BootRecording(const host::Reader& host, const engine::Report& begun);
    // `profileFiles` is hashesOf() the profile as it was applied.
    void finish(const engine::Report& report,
                std::vector<engine::HashedFile> profileFiles);

  private:
    void write() const;

    const host::Clock& clock_;
    engine::BootRecord record_;
};

}  // namespace fabric::cli
