// SPDX-License-Identifier: Apache-2.0
#include "report/json.hpp"

#include "report/confirmed.hpp"
#include "report/difference.hpp"
#include "report/json_tree.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <string_view>

namespace fabric::report {

namespace {

constexpr int kIndent = 2;

Json toTree(const engine::ResourceReport& resource) {
    const resource::Assessment& assessment = resource.assessment;
    return {{"id", assessment.id},
            {"kind", resource::toString(assessment.kind)},
            {"device", assessment.device},
            {"rdma", assessment.rdma},
            {"pci", assessment.pci},
            {"rail", assessment.rail},
            {"property", assessment.property},
            {"outcome", engine::toString(resource.outcome)},
            {"wanted", treeOf(assessment.wanted)},
            {"found", treeOf(assessment.found)},
            {"after", treeOf(resource.after)},
            {"disturbs", resource::toString(assessment.disturbs)},
            {"reason", assessment.reason},
            {"fix", assessment.fix},
            {"explanation", assessment.explanation}};
}

Json toTree(const resource::Finding& finding) {
    return {{"id", finding.id},
            {"severity", severityName(finding.severity)},
            {"summary", finding.summary},
            {"evidence", finding.evidence},
            {"fix", finding.fix},
            {"device", finding.device}};
}

Json toTree(const resource::Step& step) {
    return {{"rail", step.rail},
            {"summary", step.summary},
            {"disturbs", resource::toString(step.disturbs)},
            {"resources", step.ids}};
}

Json toTree(const profile::ProfileError& error) {
    return {{"file", error.file},
            {"line", error.line},
            {"column", error.column},
            {"message", error.message},
            {"suggestion", error.suggestion}};
}

Json toTree(const Error& error) {
    return {{"kind", fabric::toString(error.kind)},
            {"errno", error.sysErrno},
            {"message", error.message()},
            {"fix", error.advice}};
}

template <typename Range>
Json toList(const Range& range) {
    Json list = Json::array();
    for (const auto& item : range) {
        list.push_back(toTree(item));
    }
    return list;
}

std::string utcText(std::chrono::system_clock::time_point time) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

// Foreign strings may hold bytes that are not UTF-8: they are replaced, never a
// failure.
std::string dump(const Json& tree) {
    return tree.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string_view severityName(resource::Severity severity) {
    switch (severity) {
        case resource::Severity::info:
            return "info";
        case resource::Severity::warn:
            return "warn";
        case resource::Severity::fail:
            return "fail";
    }
    return "fail";
}

std::string toJson(const Value& value) {
    return dump(treeOf(value));
}

std::string toJson(const engine::Report& report) {
    return toJson(report, std::nullopt);
}

std::string toText(const std::optional<engine::Confirm>& confirm) {
    return confirm ? fmt::format(
                         "\nthis is undone at {}, unless you keep it with: "
                         "fabricctl confirm\n",
                         confirm->deadline)
                   : std::string();
}

std::string toJson(const engine::Report& report,
                   const std::optional<engine::Confirm>& confirm) {
    constexpr double kMicrosecondsPerMillisecond = 1000.0;
    const DifferenceText difference = differenceText(report);
    Json tree{
        {"schema", "fabricctl/report/1"},
        {"command", report.command},
        {"result", report.result()},
        {"exit_code", static_cast<int>(report.exitCode())},
        {"changed", report.changed},
        {"profile", {{"name", report.profileName}, {"path", report.profilePath}}},
        {"host", report.host},
        {"boot_id", report.bootId},
        {"started", utcText(report.started)},
        {"duration_ms",
         static_cast<double>(report.duration.count()) / kMicrosecondsPerMillisecond},
        {"resources", toList(report.resources)},
        {"findings", toList(report.findings)},
        {"steps", toList(report.steps)},
        {"diff", {{"before", difference.before}, {"after", difference.after}}}};
    if (!report.image.empty()) {
        tree["image"] = report.image;
    }
    if (confirm) {
        tree["confirm"] = {{"id", confirm->id}, {"deadline", confirm->deadline}};
    }
    if (!report.errors.empty()) {
        tree["errors"] = toList(report.errors);
    }
    if (report.stopped) {
        tree["error"] = toTree(*report.stopped);
    }
    return dump(tree);
}

}  // namespace fabric::report
