// SPDX-License-Identifier: Apache-2.0
#include "cli/facts_file.hpp"
#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "doctor/gather.hpp"
#include "doctor/metrics.hpp"
#include "doctor/peers.hpp"
#include "doctor/server_log.hpp"
#include "inventory/platform.hpp"
#include "linux/connector.hpp"
#include "linux/machine.hpp"
#include "linux/service_log.hpp"
#include "linux/web_reader.hpp"
#include "report/doctor.hpp"
#include "report/json.hpp"

#include <optional>

namespace fabric::cli {

namespace {

int printList(const Options& options) {
    return printOut(options.format == Format::json
                        ? report::toJson(report::doctorListValue())
                        : report::doctorListText(),
                    engine::ExitCode::asWanted);
}

// Waits until the deadline. Link events that come meanwhile change nothing here: what
// they bring is seen by the second look.
void pass(const host::Reader& reader, std::chrono::milliseconds interval) {
    const auto deadline = reader.clock.now() + interval;
    const auto watch = reader.watcher.watch();
    while (watch && reader.clock.now() < deadline) {
        const auto event = (*watch)->next(deadline);
        if (!event && event.error().kind != ErrorKind::busy) {
            return;
        }
    }
}

doctor::MetricsAccess accessOf(const Options& options) {
    return {.url = options.metricsUrl,
            .tokenFile = options.metricsTokenFile,
            .caFile = options.metricsCaFile};
}

void warnOfToken(const doctor::MetricsEvidence& metrics) {
    if (!metrics.warning.empty()) {
        warn(metrics.warning);
    }
}

}  // namespace

int runDoctor(const Options& options) {
    if (options.list) {
        return printList(options);
    }
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    std::optional<profile::Profile> profile;
    if (options.profileNamed || reader.files.status(options.profilePath)) {
        auto loaded = loadProfile(reader.files, options);
        if (!loaded) {
            return print(
                invalidProfileReport(reader, "doctor", options, loaded.error()),
                options);
        }
        profile = std::move(*loaded);
    }
    std::optional<doctor::EarlierLook> earlier;
    if (!options.beforePath.empty()) {
        auto read = readEarlierLook(reader.files,
                                    options.beforePath,
                                    inventory::observePlatform(reader).hostName);
        if (!read) {
            return stopWith("doctor", std::move(read.error()), options);
        }
        earlier = std::move(*read);
    }
    doctor::Evidence evidence = doctor::gather(reader, profile ? &*profile : nullptr);
    evidence.earlier = std::move(earlier);
    doctor::gatherServerLog(linux_host::JournalServiceLog(), evidence);
    linux_host::CurlWebReader web;
    const doctor::MetricsAccess metrics = accessOf(options);
    if (!metrics.url.empty()) {
        progress(options, "asking the server for its metrics");
        evidence.metrics = doctor::readMetrics(reader.files, web, metrics);
        warnOfToken(*evidence.metrics);
    }
    if (options.interval) {
        progress(options, "looking at the counters again in a moment");
        pass(reader, *options.interval);
        doctor::lookAgain(reader, *options.interval, evidence);
        if (evidence.metrics) {
            doctor::readMetricsAgain(reader.files, web, metrics, *evidence.metrics);
        }
    }
    if (!options.peersPath.empty()) {
        linux_host::TcpConnector connector;
        evidence.peers = doctor::pairPeers(
            evidence, profile::readPeers(reader.files, options.peersPath));
        progress(options, "connecting to the peers");
        doctor::connectPeers(connector, *evidence.peers);
    }
    return printDiagnosis(
        doctor::diagnose(evidence, doctor::findSymptom(options.symptom)), options);
}

int printDiagnosis(const doctor::Diagnosis& diagnosis, const Options& options) {
    if (options.format == Format::json) {
        return printOut(report::toJson(report::toValue(diagnosis)),
                        diagnosis.exitCode());
    }
    const report::TextOptions text{
        .color = useColor(options), .verbose = options.verbose, .quiet = options.quiet};
    return printOut(report::toText(diagnosis, text), diagnosis.exitCode());
}

}  // namespace fabric::cli
