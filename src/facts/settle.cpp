// SPDX-License-Identifier: Apache-2.0
#include "facts/settle.hpp"

#include "engine/rail_selection.hpp"
#include "inventory/rail.hpp"
#include "resource/service/environment_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace fabric::facts {

namespace {

// The first variable that the profile names and no facts carry, "" none.
std::string withheldVariable(const profile::Profile& profile) {
    if (const auto& service = profile.host().service) {
        for (const auto& [name, value] : service->environment) {
            if (!resource::service::isCarriedVariable(name)) {
                return name;
            }
        }
    }
    return {};
}

bool dependsOn(const resource::Assessment& assessment, const std::string& variable) {
    return assessment.kind == resource::Kind::service &&
           (assessment.property == "environment" ||
            assessment.reason.contains(variable));
}

// What was concluded without an answer is not proven, whatever else the report says.
engine::ResourceReport notProven(const std::string& unanswered) {
    engine::ResourceReport resource;
    resource.assessment.id = "facts/answers";
    resource.assessment.kind = resource::Kind::rails;
    resource.assessment.property = "answers";
    resource.assessment.reason = unanswered;
    resource.assessment.fix =
        "take the facts again on that host with this profile: fabricctl facts PROFILE";
    resource.outcome = engine::Outcome::unreadable;
    return resource;
}

}  // namespace

std::string originText(const Origin& origin) {
    return fmt::format("from facts of {} taken {}, not from this host",
                       origin.hostName.empty() ? "a host" : origin.hostName,
                       origin.taken);
}

std::string unansweredText(const ReplayHost& replay) {
    constexpr std::size_t kShown = 20;
    const std::vector<std::string> questions = replay.unanswered();
    if (questions.empty()) {
        return {};
    }
    const std::size_t shown = std::min(kShown, questions.size());
    return fmt::format("{} questions are not answered by this facts file: {}{}",
                       questions.size(),
                       fmt::join(questions.begin(),
                                 questions.begin() + static_cast<std::ptrdiff_t>(shown),
                                 "; "),
                       shown < questions.size() ? "; ..." : "");
}

void readInventoriesHere(const host::FileReader& here,
                         const profile::Profile& profile,
                         ReplayHost& replay) {
    const auto rails = inventory::observeRails(replay.reader());
    for (const inventory::Rail& rail : rails.value_or(std::vector<inventory::Rail>{})) {
        const auto settings = profile.settingsFor(engine::identityOf(rail));
        if (settings && settings->neighbours &&
            !settings->neighbours->peersFrom.empty()) {
            replay.readHere(here, settings->neighbours->peersFrom);
        }
    }
}

void settle(const ReplayHost& replay,
            const profile::Profile& profile,
            const Origin& origin,
            engine::Report& report) {
    report.findings.insert(report.findings.begin(),
                           {.id = "facts.origin",
                            .severity = resource::Severity::info,
                            .summary = originText(origin),
                            .evidence = origin.file,
                            .fix = {}});
    if (const std::string unanswered = unansweredText(replay); !unanswered.empty()) {
        report.resources.insert(report.resources.begin(), notProven(unanswered));
    }
    const std::string variable = withheldVariable(profile);
    for (engine::ResourceReport& resource : report.resources) {
        if (!variable.empty() && dependsOn(resource.assessment, variable)) {
            resource.outcome = engine::Outcome::unreadable;
            resource.assessment.found = {};
            resource.assessment.reason = fmt::format(
                "a file of facts carries variables of MINIO_RDMA_ only, and the "
                "profile names {}",
                variable);
            resource.assessment.fix = "run check on that host";
        }
    }
}

}  // namespace fabric::facts
