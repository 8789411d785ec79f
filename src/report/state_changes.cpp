// SPDX-License-Identifier: Apache-2.0
#include "report/state_changes.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

namespace fabric::report {

namespace {

// Of this program's entries of this kind, for `journalctl MESSAGE_ID=`.
constexpr const char* kMessageId = "e1ad3518aefa497e967ead597d7f87d2";
constexpr const char* kRunId = "run";
constexpr const char* kInSync = "in-sync";

// syslog(3) levels.
constexpr const char* kError = "3";
constexpr const char* kWarning = "4";
constexpr const char* kNotice = "5";

// What an outcome means for somebody who watches: nothing to do is one state.
std::string stateOf(engine::Outcome outcome) {
    return engine::exitCodeOf(outcome) == engine::ExitCode::asWanted
               ? kInSync
               : std::string(engine::toString(outcome));
}

std::string stateOf(const std::string& outcome) {
    const bool fine = outcome == "changed" || outcome == "skipped" ||
                      outcome == "not-applicable" || outcome.empty();
    return fine ? kInSync : outcome;
}

const char* priorityOf(const std::string& state) {
    if (state == kInSync) {
        return kNotice;
    }
    return state == "drifted" ? kWarning : kError;
}

JournalFields entry(const std::string& id,
                    const std::string& before,
                    const std::string& now,
                    const std::string& message) {
    return {{"MESSAGE", message},
            {"MESSAGE_ID", kMessageId},
            {"PRIORITY", priorityOf(now)},
            {"SYSLOG_IDENTIFIER", "fabricctl"},
            {"FABRICCTL_RESOURCE", id},
            {"FABRICCTL_STATE", now},
            {"FABRICCTL_PREVIOUS_STATE", before}};
}

JournalFields entryOf(const engine::ResourceReport& resource,
                      const std::string& before,
                      const std::string& now) {
    const resource::Assessment& assessment = resource.assessment;
    const std::string wanted = assessment.wanted.toText();
    const std::string found =
        (resource.after.isNull() ? assessment.found : resource.after).toText();
    std::string message = escapeForTerminal(assessment.id) + ": " + now;
    if (now == kInSync) {
        message += fmt::format(" (was {}): {}", before, found);
    } else {
        message += fmt::format(": wanted {}, found {}", wanted, found);
        message += assessment.reason.empty() ? "" : "; " + assessment.reason;
    }
    JournalFields fields = entry(assessment.id, before, now, message);
    fields.emplace_back("FABRICCTL_KIND", std::string(toString(assessment.kind)));
    fields.emplace_back("FABRICCTL_DEVICE", assessment.device);
    fields.emplace_back("FABRICCTL_WANTED", wanted);
    fields.emplace_back("FABRICCTL_FOUND", found);
    fields.emplace_back("FABRICCTL_FIX", assessment.fix);
    return fields;
}

// Why nothing could be looked at, "" when it could.
std::string whatStopped(const engine::Report& report) {
    if (!report.errors.empty()) {
        return "the profile is invalid: " + report.errors.front().text();
    }
    return report.stopped ? report.stopped->message() : std::string();
}

std::string previousOf(const std::map<std::string, std::string>& before,
                       const std::string& id) {
    const auto known = before.find(id);
    return stateOf(known == before.end() ? std::string()
                                         : escapeForTerminal(known->second));
}

}  // namespace

std::map<std::string, std::string> savedOutcomes(std::string_view json) {
    std::map<std::string, std::string> outcomes;
    try {
        const auto tree = nlohmann::json::parse(json);
        for (const auto& resource : tree.at("resources")) {
            outcomes[resource.at("id")] = resource.at("outcome");
        }
        if (tree.contains("error") || tree.contains("errors")) {
            outcomes[kRunId] = "failed";
        }
    } catch (const nlohmann::json::exception&) {
        outcomes.clear();
    }
    return outcomes;
}

std::vector<JournalFields> stateChanges(
    const std::map<std::string, std::string>& before, const engine::Report& now) {
    std::vector<JournalFields> changes;
    const std::string stopped = whatStopped(now);
    const std::string run = stopped.empty() ? kInSync : "failed";
    const std::string runBefore = previousOf(before, kRunId);
    if (run != runBefore) {
        changes.push_back(entry(kRunId,
                                runBefore,
                                run,
                                stopped.empty()
                                    ? now.command + " can be run again"
                                    : now.command + " could not be run: " + stopped));
    }
    for (const engine::ResourceReport& resource : now.resources) {
        const std::string state = stateOf(resource.outcome);
        const std::string previous = previousOf(before, resource.assessment.id);
        if (state != previous) {
            changes.push_back(entryOf(resource, previous, state));
        }
    }
    return changes;
}

}  // namespace fabric::report
