// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/concerns.hpp"
#include "resource/dcb/message.hpp"
#include "resource/dcb/property_values.hpp"
#include "resource/dcb/trust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace fabric::resource::dcb {

void compareDcbx(const PortTask& task, const State& found, Comparison& out) {
    if (task.wanted.dcbx.value == profile::DcbxOwner::keep) {
        return;
    }
    Assessment dcbx = assessmentOf(task, "dcbx");
    dcbx.wanted = "host";
    const auto host = hostOwnsDcbx(found);
    if (!host) {
        judgeUncontrollable(
            task, task.wanted.dcbx.isExplicit(), "DCBX mode", dcbx, out.findings);
    } else if (*host) {
        dcbx.found = "host";
        dcbx.verdict = Verdict::inSync;
    } else {
        dcbx.found = "firmware";
        dcbx.verdict = Verdict::differs;
        dcbx.reason = fmt::format(
            "the NIC's firmware owns DCBX (mode 0x{:02x}) and may overwrite settings",
            *found.dcbx);
        dcbx.fix = dcbxFix(driverFacts(task.port.driver), task.port.name);
        dcbx.explanation =
            "The HOST bit of DCBX says who decides. It is set with the other bits as "
            "they are, since drivers store the byte as it comes.";
        Step step = stepOf(task,
                           Stage::dcbx,
                           Disturbs::none,
                           "take DCBX from the NIC's firmware",
                           {&dcbx});
        const auto mode = static_cast<std::uint8_t>((*found.dcbx | kDcbxHost) &
                                                    ~unsigned{kDcbxManagedByAgent});
        step.writes.emplace_back(DcbWrite{setDcbxRequest(task.port.link, mode)});
        out.steps.push_back(std::move(step));
    }
    out.assessments.push_back(std::move(dcbx));
}

namespace {

std::uint8_t maskOf(const std::set<Priority>& priorities) {
    unsigned mask = 0;
    for (const Priority priority : priorities) {
        mask |= 1U << priority.number();
    }
    return static_cast<std::uint8_t>(mask);
}

// PFC is never told as off when it was not told at all.
void judgeMissingPfc(const PortTask& task, Assessment& pfc, Comparison& out) {
    if (driverFacts(task.port.driver).alwaysShowsPfc) {
        pfc.verdict = Verdict::unreadable;
        pfc.reason = fmt::format(
            "{} has PFC, but the kernel's answer does not carry it: the driver could "
            "not read it",
            driverName(task.port));
        pfc.fix = "see the kernel log for the driver's error";
        return;
    }
    judgeUncontrollable(task, true, "PFC", pfc, out.findings);
}

std::optional<Assessment> assessPfc(const PortTask& task,
                                    const State& found,
                                    Comparison& out) {
    if (!task.wanted.pfc) {
        return std::nullopt;
    }
    Assessment pfc = assessmentOf(task, "pfc");
    pfc.wanted = valueOf(task.wanted.pfc->value);
    if (!found.pfc) {
        judgeMissingPfc(task, pfc, out);
        return pfc;
    }
    pfc.found = valueOf(found.pfc->priorities());
    const bool equal = found.pfc->enabled == maskOf(task.wanted.pfc->value);
    pfc.verdict = equal ? Verdict::inSync : Verdict::differs;
    if (!equal) {
        pfc.reason = "PFC is enabled for other priorities than the profile lists";
        pfc.explanation =
            "dcb.pfc is the full list: a priority that is not in it must have PFC off.";
        addOwnerHint(task, found, pfc);
    }
    return pfc;
}

std::optional<Assessment> assessCable(const PortTask& task,
                                      const State& found,
                                      Comparison& out) {
    if (!task.wanted.cableLength) {
        return std::nullopt;
    }
    Assessment cable = assessmentOf(task, "cable-length");
    cable.wanted = std::int64_t{task.wanted.cableLength->count};
    // mlx5 shows the length only with its buffer registers (mlx5e_dcbnl_ieee_getpfc).
    const bool offered = driverFacts(task.port.driver).delayIsCableLength;
    if (!offered || !found.buffers || !found.pfc) {
        judgeUncontrollable(task, true, "cable length", cable, out.findings);
        return cable;
    }
    cable.found = std::int64_t{found.pfc->delay};
    const bool equal = found.pfc->delay == task.wanted.cableLength->count;
    cable.verdict = equal ? Verdict::inSync : Verdict::differs;
    if (!equal) {
        cable.reason = "the buffer thresholds are computed for another cable length";
    }
    return cable;
}

// bnxt_en refuses PFC until ETS has been set once, and shows zeros until then
// (bnxt_hwrm_queue_pfc_cfg, bnxt_dcbnl_ieee_getets in bnxt_dcb.c).
bool etsWasNeverSet(const Ets& ets) {
    const Ets blank{.capability = ets.capability};
    return ets == blank;
}

bool plansEts(const PortTask& task, const Comparison& out) {
    return std::ranges::any_of(out.steps, [&](const Step& step) {
        return step.stage == Stage::ets && step.link == task.port.link;
    });
}

// The wanted fields over what is there: mbc, and the delay when it is not owned, stay.
Pfc targetPfc(const PortTask& task, const Pfc& present) {
    Pfc target = present;
    if (task.wanted.pfc) {
        target.enabled = maskOf(task.wanted.pfc->value);
    }
    if (task.wanted.cableLength && driverFacts(task.port.driver).delayIsCableLength) {
        target.delay = task.wanted.cableLength->count;
    }
    return target;
}

// `etsFirst`: to be set as it is before PFC, or nullptr.
Step pfcStep(const PortTask& task,
             const Pfc& present,
             const Ets* etsFirst,
             std::vector<Assessment*> serves) {
    const Pfc target = targetPfc(task, present);
    const bool bits = target.enabled != present.enabled;
    const bool bounces = driverFacts(task.port.driver).pfcBouncesLink;
    const Disturbs disturbs = bits && bounces ? Disturbs::link
                              : bits          ? Disturbs::traffic
                                              : Disturbs::none;
    std::string summary =
        fmt::format("set PFC priorities to {}", valueOf(target.priorities()).toText());
    if (target.delay != present.delay) {
        summary += fmt::format(", cable length to {} m", target.delay);
    }
    Step step =
        stepOf(task, Stage::pfc, disturbs, std::move(summary), std::move(serves));
    if (etsFirst != nullptr) {
        step.summary += ", after setting ETS as it is, which this driver wants first";
        step.writes.emplace_back(DcbWrite{setEtsRequest(task.port.link, *etsFirst)});
    }
    step.writes.emplace_back(DcbWrite{setPfcRequest(task.port.link, target)});
    return step;
}

// The ETS that must be set before PFC is taken, or nullptr.
const Ets* etsBeforePfc(const PortTask& task,
                        const State& found,
                        const Comparison& out) {
    const bool needed = driverFacts(task.port.driver).pfcNeedsEts && found.ets &&
                        etsWasNeverSet(*found.ets) && !plansEts(task, out);
    return needed ? &*found.ets : nullptr;
}

}  // namespace

void comparePfc(const PortTask& task,
                const State& found,
                Earlier earlier,
                Comparison& out) {
    auto pfc = assessPfc(task, found, out);
    auto cable = assessCable(task, found, out);
    std::vector<Assessment*> serves;
    if (pfc) {
        const bool again =
            earlier == Earlier::resets && pfc->verdict == Verdict::inSync;
        if (again || pfc->verdict == Verdict::differs) {
            serves.push_back(&*pfc);
        }
    }
    if (cable && cable->verdict == Verdict::differs) {
        serves.push_back(&*cable);
    }
    if (!serves.empty() && found.pfc) {
        out.steps.push_back(pfcStep(
            task, *found.pfc, etsBeforePfc(task, found, out), std::move(serves)));
    }
    if (pfc) {
        out.assessments.push_back(std::move(*pfc));
    }
    if (cable) {
        out.assessments.push_back(std::move(*cable));
    }
}

}  // namespace fabric::resource::dcb
