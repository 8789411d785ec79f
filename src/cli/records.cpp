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
#include <utility>

namespace fabric::cli {

namespace {

constexpr mode_t kPublicFile = 0644;
constexpr mode_t kPublicDirectory = 0755;

std::string textOf(const host::FileReader& files, const std::string& path) {
    const auto text = files.read(path);
    return text ? *text : std::string();
}

Result<void> save(const std::string& path, std::string_view text) {
    const linux_host::RootDirectory root;
    linux_host::PosixFileWriter files(root, linux_host::Way::withoutForeignLinks);
    return files.replaceFile(path, text, kPublicFile);
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

bool saveMetrics(const host::Reader& host,
                 const Options& options,
                 engine::Report& report) {
    const auto boot = report::readBootRecord(host.files);
    const auto saved = save(options.metricsPath,
                            report::toMetrics(report,
                                              boot ? *boot : std::nullopt,
                                              textOf(host.files, options.metricsPath)));
    if (!saved) {
        noteUnrecorded("--metrics", saved.error(), report);
    }
    return saved.has_value();
}

}  // namespace

void noteUnrecorded(const char* option, const Error& error, engine::Report& report) {
    report.unrecorded = true;
    report.findings.push_back(
        {.id = "record.not-written",
         .severity = resource::Severity::fail,
         .summary = std::string("the file of ") + option + " could not be written",
         .evidence = error.message(),
         .fix = error.advice});
    if (report.stopped || !report.errors.empty()) {
        warn(error.message());  // findings are not printed then
    }
}

int printAndRecord(const host::Reader& host,
                   engine::Report report,
                   const Options& options,
                   const std::optional<engine::Confirm>& confirm) {
    const auto saveReport = [&] {
        const auto saved = save(options.reportPath, report::toJson(report, confirm));
        if (!saved) {
            noteUnrecorded("--report", saved.error(), report);
        }
        return saved.has_value();
    };
    bool reported = false;
    if (!options.reportPath.empty()) {
        tellJournal(host, report, options.reportPath);
        reported = saveReport();
    }
    const bool measured =
        options.metricsPath.empty() || saveMetrics(host, options, report);
    if (reported && !measured) {
        saveReport();  // it was written before this was known
    }
    return print(report, options, confirm);
}

BootRecording::BootRecording(const host::Reader& host, const engine::Report& begun)
    : clock_(host.clock) {
    const char* const invocation = std::getenv("INVOCATION_ID");
    // A record that cannot be believed says nothing of earlier runs.
    const auto earlier = report::readBootRecord(host.files);
    record_ = engine::beginBootRecord(begun,
                                      invocation == nullptr ? "" : invocation,
                                      earlier ? *earlier : std::nullopt);
    write();
}

void BootRecording::finish(const engine::Report& report,
                           std::vector<engine::HashedFile> profileFiles) {
    record_.profile = report.profilePath;
    engine::finishBootRecord(report, clock_, std::move(profileFiles), record_);
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
