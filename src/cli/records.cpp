// SPDX-License-Identifier: Apache-2.0
#include "cli/records.hpp"

#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "linux/journal_sender.hpp"
#include "linux/posix_file_writer.hpp"
#include "report/boot_record.hpp"
#include "report/confirmed.hpp"
#include "report/json.hpp"
#include "report/metrics.hpp"
#include "report/state_changes.hpp"

#include <cstdlib>
#include <string>

namespace fabric::cli {

namespace {

constexpr mode_t kPublicFile = 0644;
constexpr mode_t kPublicDirectory = 0755;

std::string textOf(const host::FileReader& files, const std::string& path) {
    const auto text = files.read(path);
    return text ? *text : std::string();
}

// 0, or "could not run": a report that nobody can read is not a success.
engine::ExitCode save(const std::string& path, std::string_view text) {
    const linux_host::RootDirectory root;
    linux_host::PosixFileWriter files(root, linux_host::Way::withoutForeignLinks);
    const auto written = files.replaceFile(path, text, kPublicFile);
    if (!written) {
        warn(written.error().message());
        return engine::ExitCode::couldNotRun;
    }
    return engine::ExitCode::asWanted;
}

void tellJournal(const host::Reader& host,
                 const engine::Report& report,
                 const std::string& path) {
    const auto before = report::savedOutcomes(textOf(host.files, path));
    for (const report::JournalFields& fields : report::stateChanges(before, report)) {
        if (const auto sent = linux_host::sendToJournal(fields); !sent) {
            warn(sent.error().message());
            return;
        }
    }
}

}  // namespace

int printAndRecord(const host::Reader& host,
                   const engine::Report& report,
                   const Options& options,
                   const std::optional<engine::Confirm>& confirm) {
    auto code = engine::ExitCode::asWanted;
    if (!options.metricsPath.empty()) {
        const auto boot = report::readBootRecord(host.files);
        code = engine::worse(
            code,
            save(options.metricsPath,
                 report::toMetrics(report,
                                   boot ? *boot : std::nullopt,
                                   textOf(host.files, options.metricsPath))));
    }
    if (!options.reportPath.empty()) {
        tellJournal(host, report, options.reportPath);
        code = engine::worse(code,
                             save(options.reportPath, report::toJson(report, confirm)));
    }
    const auto printed = static_cast<engine::ExitCode>(print(report, options, confirm));
    return static_cast<int>(engine::worse(printed, code));
}

BootRecording::BootRecording(const host::Reader& host, const engine::Report& begun)
    : clock_(host.clock) {
    const char* const invocation = std::getenv("INVOCATION_ID");
    record_ = engine::beginBootRecord(begun, invocation == nullptr ? "" : invocation);
    write();
}

void BootRecording::finish(const engine::Report& report) {
    record_.profile = report.profilePath;
    engine::finishBootRecord(report, clock_, record_);
    write();
}

void BootRecording::write() const {
    const linux_host::RootDirectory root;
    linux_host::PosixFileWriter files(root);
    auto written = files.makeDirectory(kRunDirectory, kPublicDirectory);
    if (written) {
        written = files.replaceFile(
            engine::kBootRecord, report::toJson(record_), kPublicFile);
    }
    if (!written) {
        warn(written.error().message());
    }
}

}  // namespace fabric::cli
