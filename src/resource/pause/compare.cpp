// SPDX-License-Identifier: Apache-2.0
#include "resource/pause/pause.hpp"
#include "resource/rail_property.hpp"

#include <string>
#include <utility>

namespace fabric::resource::pause {

namespace {

using host::PauseParameters;
using profile::PauseSettings;

constexpr const char* kRule =
    "Global pause stops every priority of the link at once, so that PFC can no longer "
    "hold back the lossless one alone. Only the directions that the profile names are "
    "compared; autonegotiation is kept.";

PauseSettings ownedBy(const RailTask& task) {
    return task.settings.pause.value_or(PauseSettings{});
}

Value word(bool on) {
    return on ? "on" : "off";
}

Value ownedPart(const PauseSettings& wanted, bool rx, bool tx) {
    Value::Object object;
    if (wanted.rx) {
        object.emplace("rx", word(rx));
    }
    if (wanted.tx) {
        object.emplace("tx", word(tx));
    }
    return object;
}

Assessment begin(const RailTask& task, const std::string& interface) {
    const PauseSettings wanted = ownedBy(task);
    Assessment assessment = railProperty(task, Kind::pause, interface, "");
    assessment.property = "pause";
    assessment.wanted =
        ownedPart(wanted, wanted.rx.value_or(false), wanted.tx.value_or(false));
    assessment.explanation = kRule;
    if (!task.rail.resolution.empty()) {
        assessment.explanation +=
            " Rail " + task.rail.name + ": " + task.rail.resolution + ".";
    }
    return assessment;
}

PauseParameters merged(const PauseSettings& wanted,
                       const inventory::PhysicalPort& port,
                       PauseParameters found) {
    found.rx = wanted.rx.value_or(found.rx);
    found.tx = wanted.tx.value_or(found.tx);
    // mlx5 refuses autonegotiation (mlx5/core/en_ethtool.c, set_pauseparam).
    found.autonegotiate = found.autonegotiate && port.driver != "mlx5_core";
    return found;
}

bool wantsPfc(const RailTask& task) {
    return task.settings.dcb && task.settings.dcb->pfc &&
           !task.settings.dcb->pfc->value.empty();
}

Step stepFor(const RailTask& task,
             const inventory::PhysicalPort& port,
             const Assessment& assessment,
             const PauseParameters& wanted) {
    return {.stage = Stage::pause,
            .rail = task.rail.name,
            .link = port.link,
            .disturbs = Disturbs::link,
            .summary = "set global pause of " + port.name + " to " +
                       assessment.wanted.toText(),
            .ids = {assessment.id},
            .writes = {PauseWrite{port.link, wanted}}};
}

void judge(const RailTask& task,
           const inventory::PhysicalPort& port,
           const PauseParameters& found,
           Assessment& assessment) {
    assessment.found = ownedPart(ownedBy(task), found.rx, found.tx);
    if (assessment.found == assessment.wanted) {
        assessment.verdict = Verdict::inSync;
        return;
    }
    assessment.verdict = Verdict::differs;
    assessment.disturbs = Disturbs::link;
    assessment.reason = "global pause of " + port.name + " is " +
                        assessment.found.toText() + ", the profile wants " +
                        assessment.wanted.toText();
    // Any set-pause of ionic makes link-level pause the port's pause type
    // (pensando/ionic/ionic_ethtool.c, ionic_set_pauseparam).
    if (port.driver == "ionic") {
        assessment.verdict = Verdict::failed;
        assessment.disturbs = Disturbs::none;
        assessment.reason +=
            "; not written: with ionic that would switch the port from priority pause "
            "to link-level pause";
        assessment.fix = "set the pause type with nicctl, the vendor's tool";
    }
}

void judgeError(const Error& error,
                const inventory::Platform& platform,
                Assessment& assessment) {
    if (error.kind != ErrorKind::unsupported) {
        cannotRead(error, platform, assessment);
        return;
    }
    assessment.verdict = Verdict::unsupported;
    assessment.reason = error.message();
    assessment.fix = "leave pause out of the profile for this rail";
}

}  // namespace

Comparison compare(const RailTask& task,
                   const inventory::PhysicalPort& port,
                   const Result<PauseParameters>& found,
                   const inventory::Platform& platform) {
    Comparison result;
    Assessment assessment = begin(task, port.name);
    if (found) {
        judge(task, port, *found, assessment);
    } else {
        judgeError(found.error(), platform, assessment);
    }
    const bool writes = !refuse(task, assessment) && found.has_value() &&
                        assessment.verdict == Verdict::differs;
    if (writes) {
        result.steps.push_back(
            stepFor(task, port, assessment, merged(ownedBy(task), port, *found)));
    }
    result.assessments.push_back(std::move(assessment));
    return result;
}

Assessment compareWithoutPort(const RailTask& task) {
    const PauseSettings wanted = ownedBy(task);
    Assessment assessment = begin(task, task.rail.name);
    const bool wantsOn = wanted.rx.value_or(false) || wanted.tx.value_or(false);
    // A device in software sends no pause frames; a VF's port may, out of sight.
    const bool pauseless = task.rail.kind == inventory::FunctionKind::software;
    assessment.verdict =
        pauseless && !wantsOn ? Verdict::notApplicable : Verdict::unsupported;
    assessment.reason = "no physical port: " + task.rail.resolution;
    assessment.fix = pauseless ? "" : "set pause where the port is";
    refuse(task, assessment);
    return assessment;
}

std::optional<Finding> besidePfc(const RailTask& task,
                                 const inventory::PhysicalPort& port,
                                 const PauseParameters& found) {
    const PauseSettings owned = ownedBy(task);
    const bool rx = owned.rx.value_or(found.rx);
    const bool tx = owned.tx.value_or(found.tx);
    if (!wantsPfc(task) || (!rx && !tx)) {
        return std::nullopt;
    }
    const bool wantedOn = owned.rx.value_or(false) || owned.tx.value_or(false);
    return Finding{
        .id = "pause.beside-pfc",
        .severity = Severity::warn,
        .summary = "global pause is on beside PFC on " + port.name +
                   ": it stops every priority, not only the lossless one",
        .evidence = "rx " + std::string(rx ? "on" : "off") + ", tx " +
                    (tx ? "on" : "off") +
                    (wantedOn ? ", as the profile asks" : ", read from the driver"),
        .fix = "add 'pause: { rx: off, tx: off }' to the profile, or run: ethtool -A " +
               port.name + " autoneg off rx off tx off"};
}

}  // namespace fabric::resource::pause
