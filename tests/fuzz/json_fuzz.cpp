// SPDX-License-Identifier: Apache-2.0
// JSON and text files of our own that a run reads back: the boot record, the last
// report, the last metrics.
#include "fuzz/property.hpp"
#include "report/boot_record.hpp"
#include "report/json.hpp"
#include "report/metrics.hpp"
#include "report/state_changes.hpp"

#include <nlohmann/json.hpp>

namespace fabric::report {
namespace {

using fuzz::require;

void judgeRecord(std::string_view text) {
    const auto record = parseBootRecord(text);
    if (!record) {
        require(record.error().kind == ErrorKind::malformed, "text is malformed");
        fuzz::requirePrintable(record.error().message());
        return;
    }
    const auto again = parseBootRecord(toJson(*record));
    require(again && *again == *record, "a record survives");
}

void judgeReport(std::string_view text) {
    engine::Report report;
    const auto before = savedOutcomes(text);
    if (!before.empty()) {
        report.resources.push_back({.assessment = {.id = before.begin()->first},
                                    .outcome = engine::Outcome::inSync});
    }
    const auto fields = stateChanges(before, report);
    require(fields.size() <= 2, "at most the run and what was looked at changed");
    for (const auto& entry : fields) {
        require(entry.front().first == "MESSAGE", "the message first");
        fuzz::requirePrintable(entry.front().second);
    }
    if (!nlohmann::json::accept(text)) {
        require(before.empty(), "no outcome out of what is no JSON");
    }
}

void judgeMetrics(std::string_view text) {
    engine::Report report;
    report.profileName = std::string(text);
    report.stopped =
        Error{.kind = ErrorKind::busy, .action = {}, .subject = {}, .advice = {}};
    const std::string metrics = toMetrics(report, std::nullopt, text);
    const std::string again = toMetrics(report, std::nullopt, metrics);
    require(again == metrics, "the time of the last success is kept as it is");
    for (const std::string_view line : split(metrics, '\n')) {
        require(
            line.empty() || line.starts_with("# ") || line.starts_with("fabricctl_"),
            "a comment or a sample");
    }
}

// Whatever bytes a name holds, the document stays one.
void judgeWriting(std::string_view text) {
    const std::string name(text);
    const std::string written = toJson(
        Value(Value::Object{{name, Value(name)}, {"list", Value(Value::List{name})}}));
    require(nlohmann::json::accept(written), "a document is JSON");
    engine::Report report;
    report.resources.push_back(
        {.assessment = {.id = "dcb/" + name, .device = name, .found = Value(name)}});
    report.findings.push_back({.id = "f", .summary = name});
    require(nlohmann::json::accept(toJson(report)), "a report is JSON");
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    // Documents, or what is to become part of one; one property in a run, by its
    // length.
    const bool first = input.size % 2 == 0;
    if (input.text().starts_with('{') || input.text().starts_with('[')) {
        (first ? judgeRecord : judgeReport)(input.text());
    } else {
        (first ? judgeMetrics : judgeWriting)(input.text());
    }
}

}  // namespace fabric::report
