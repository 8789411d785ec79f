// SPDX-License-Identifier: Apache-2.0
#include "resource/rail_property.hpp"
#include "resource/rdma_cm/rdma_cm.hpp"

#include <utility>

namespace fabric::resource::rdma_cm {

namespace {

std::string explanationFor(unsigned tos) {
    return "Connections made through rdma_cm take this type of service when the "
           "application sets none; " +
           std::to_string(tos) + " is DSCP " + std::to_string(tos >> 2U) +
           (tos % 4 == 0 ? "" : " with ECN bits set") +
           ". It holds until the RDMA device or rdma_cm is loaded anew.";
}

void withoutPort(const RailTask& task, Assessment& assessment) {
    assessment.verdict = Verdict::notApplicable;
    assessment.reason = task.rail.rdma ? "an InfiniBand port has no type of service"
                                       : "the interface carries no RDMA port";
}

void judge(const State& state,
           const inventory::Platform& platform,
           bool loadsModule,
           Assessment& assessment) {
    switch (state.access) {
        case Access::present:
            if (!state.tos) {
                cannotRead(state.error.value_or(Error{}), platform, assessment);
                return;
            }
            assessment.found = *state.tos;
            assessment.verdict = assessment.found == assessment.wanted
                                     ? Verdict::inSync
                                     : Verdict::differs;
            if (assessment.verdict == Verdict::differs) {
                assessment.reason = "rdma_cm gives ToS " + assessment.found.toText() +
                                    ", the profile wants " + assessment.wanted.toText();
            }
            return;
        case Access::groupAbsent:
            assessment.verdict = Verdict::differs;
            assessment.reason = "the value cannot be read before " + state.group +
                                " exists; it is made and left, so that later checks "
                                "can read";
            return;
        case Access::notLoaded:
            assessment.verdict = loadsModule ? Verdict::differs : Verdict::unreadable;
            assessment.reason = "rdma_cm is not loaded";
            assessment.fix = loadsModule ? ""
                                         : "modprobe rdma_cm, or add rdma_cm to "
                                           "'modules' of the profile";
            return;
        case Access::notMounted:
            assessment.verdict = Verdict::unreadable;
            assessment.reason = "configfs is not mounted at /sys/kernel/config";
            assessment.fix =
                "systemctl start sys-kernel-config.mount, or mount -t "
                "configfs configfs /sys/kernel/config";
            return;
        case Access::refused:
            cannotRead(state.error.value_or(Error{}), platform, assessment);
            return;
    }
}

Step stepFor(const RailTask& task, const State& state, const Assessment& assessment) {
    Step step{.stage = Stage::rdmaCm,
              .rail = task.rail.name,
              .link = task.rail.link,
              .disturbs = Disturbs::none,
              .summary = "set rdma_cm default ToS of " + assessment.rdma + " to " +
                         assessment.wanted.toText(),
              .ids = {assessment.id},
              .writes = {}};
    if (state.access != Access::present) {
        step.writes.emplace_back(DirectoryCreate{state.group});
    }
    step.writes.emplace_back(AttributeWrite{state.tosPath, assessment.wanted.toText()});
    return step;
}

}  // namespace

Comparison compare(const RailTask& task,
                   const std::optional<State>& state,
                   const inventory::Platform& platform,
                   bool loadsModule) {
    Comparison result;
    Assessment assessment = railProperty(task, Kind::rdmaCm, task.rail.name, "");
    assessment.property = "default-tos";
    const unsigned tos = task.settings.rdmaCmTos.value_or(std::uint8_t{0});
    assessment.wanted = tos;
    assessment.explanation = explanationFor(tos);
    if (state) {
        judge(*state, platform, loadsModule, assessment);
    } else {
        withoutPort(task, assessment);
    }
    if (!refuse(task, assessment) && state && assessment.verdict == Verdict::differs) {
        result.steps.push_back(stepFor(task, *state, assessment));
    }
    result.assessments.push_back(std::move(assessment));
    return result;
}

}  // namespace fabric::resource::rdma_cm
