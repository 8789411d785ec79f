// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/message.hpp"
#include "resource/dcb/trust.hpp"
#include "resource/rail_property.hpp"
#include "snapshot/app_table.hpp"
#include "snapshot/comparison.hpp"
#include "snapshot/dcb_concern.hpp"
#include "snapshot/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace fabric::snapshot {

namespace {

using resource::Assessment;
using resource::DcbWrite;
using resource::Disturbs;
using resource::Stage;
using resource::Step;
using resource::Verdict;
using resource::dcb::DriverFacts;
using resource::dcb::State;

class PortComparer {
  public:
    PortComparer(const Item& item,
                 const Dcb& wanted,
                 const host::Link& link,
                 Looking& look)
        : item_(item),
          wanted_(wanted),
          link_(link),
          look_(look),
          driver_(resource::dcb::driverFacts(look.where.driverOf(link))) {}

    void compare() {
        found_ = observePort(look_.host, link_.index);
        // The order of the concerns is that of the steps. A port that the host owns is
        // written first of all, one that goes back to the firmware last: some drivers
        // take nothing while the firmware owns it.
        for (const DcbConcern concern : wanted_.concerns) {
            if (concern != DcbConcern::dcbx || !givesBack()) {
                compareConcern(concern);
            }
        }
        if (pfcAfterBuffers_) {
            look_.out.steps.push_back(std::move(*pfcAfterBuffers_));
        }
        if (wanted_.concerns.contains(DcbConcern::dcbx) && givesBack()) {
            compareConcern(DcbConcern::dcbx);
        }
    }

  private:
    [[nodiscard]] bool givesBack() const {
        return !resource::dcb::hostOwnsDcbx(wanted_.state).value_or(true);
    }

    void compareConcern(DcbConcern concern) {
        Assessment assessment = begin(look_, item_, link_, toString(concern));
        assessment.wanted = valueOf(concern, wanted_.state, wanted_.apps);
        if (!found_) {
            resource::cannotRead(found_.error(), look_.platform, assessment);
        } else if (!tells(*found_, concern)) {
            assessment.verdict = Verdict::unreadable;
            assessment.reason =
                "the kernel's answer does not carry it now: the driver could not read "
                "it, or has no such control any more";
        } else {
            assessment.found = valueOf(concern, found_->state, found_->apps);
            judge(assessment.found == assessment.wanted, assessment);
        }
        if (assessment.verdict == Verdict::differs) {
            addStep(concern, assessment);
        }
        look_.out.assessments.push_back(std::move(assessment));
    }

    [[nodiscard]] bool buffersDiffer() const {
        const auto& wanted = wanted_.state.buffers;
        const auto& found = found_->state.buffers;
        return wanted && found &&
               (wanted->bytes != found->bytes ||
                wanted->priorityToBuffer != found->priorityToBuffer);
    }

    Step pfcStep(std::uint8_t enabled, Stage stage, Assessment& assessment) {
        resource::dcb::Pfc pfc = *wanted_.state.pfc;
        pfc.enabled = enabled;
        Step step = stepFor(stage,
                            disturbsOf(DcbConcern::pfc),
                            fmt::format("set pfc of {} back{}",
                                        link_.name,
                                        enabled == wanted_.state.pfc->enabled
                                            ? ""
                                            : ", as far as its buffers allow now"),
                            {&assessment},
                            {DcbWrite{resource::dcb::setPfcRequest(link_.index, pfc)}});
        step.link = link_.index;
        return step;
    }

    // A buffer of a priority with PFC must be large enough when it is set
    // (mlx5/core/en/ port_buffer.c, update_buffer_lossy), and the buffers of then need
    // not be so for the priorities of now: PFC goes off before the buffers change, and
    // on after them.
    void addPfcSteps(Assessment& assessment) {
        const std::uint8_t wanted = wanted_.state.pfc->enabled;
        const std::uint8_t found = found_->state.pfc->enabled;
        const auto common = static_cast<std::uint8_t>(wanted & found);
        const bool apart = buffersDiffer() && wanted != common;
        if (!apart) {
            look_.out.steps.push_back(pfcStep(wanted, Stage::pfc, assessment));
            return;
        }
        if (common != found) {
            look_.out.steps.push_back(pfcStep(common, Stage::pfc, assessment));
        }
        pfcAfterBuffers_ = pfcStep(wanted, Stage::buffer, assessment);
    }

    void addStep(DcbConcern concern, Assessment& assessment) {
        if (concern == DcbConcern::pfc) {
            addPfcSteps(assessment);
            return;
        }
        Step step =
            stepFor(stageOf(concern),
                    disturbsOf(concern),
                    fmt::format("set {} of {} back", toString(concern), link_.name),
                    {&assessment},
                    writesFor(concern));
        step.link = link_.index;
        look_.out.steps.push_back(std::move(step));
    }

    [[nodiscard]] Stage stageOf(DcbConcern concern) const {
        switch (concern) {
            case DcbConcern::dcbx:
                return givesBack() ? Stage::classification : Stage::dcbx;
            case DcbConcern::ets:
                return Stage::ets;
            case DcbConcern::maxRate:
                return Stage::maxRate;
            case DcbConcern::pfc:
                return Stage::pfc;
            case DcbConcern::buffers:
                return Stage::buffer;
            // Where the last entry that goes resets PFC and ETS, those come after it.
            case DcbConcern::apps:
                return driver_.lastEntryResets ? Stage::dcbx : Stage::classification;
            case DcbConcern::appTrust:
                return Stage::classification;
        }
        return Stage::classification;
    }

    [[nodiscard]] Disturbs disturbsOf(DcbConcern concern) const {
        switch (concern) {
            case DcbConcern::pfc: {
                const bool bits =
                    wanted_.state.pfc->enabled != found_->state.pfc->enabled;
                return bits && driver_.pfcBouncesLink ? Disturbs::link
                       : bits                         ? Disturbs::traffic
                                                      : Disturbs::none;
            }
            case DcbConcern::apps:
            case DcbConcern::appTrust:
                return Disturbs::traffic;
            default:
                return driver_.changeResets ? Disturbs::traffic : Disturbs::none;
        }
    }

    // mlx5 hands DCBX over to its firmware at 0 only, and keeps the other bits
    // (mlx5/core/en_dcbnl.c, mlx5e_dcbnl_setdcbx).
    [[nodiscard]] std::uint8_t dcbxMode() const {
        return givesBack() && driver_.name == "mlx5_core" ? std::uint8_t{0}
                                                          : *wanted_.state.dcbx;
    }

    std::vector<resource::Write> writesFor(DcbConcern concern) {
        const IfIndex port = link_.index;
        const State& state = wanted_.state;
        namespace dcb = resource::dcb;
        switch (concern) {
            case DcbConcern::dcbx:
                return {DcbWrite{dcb::setDcbxRequest(port, dcbxMode())}};
            case DcbConcern::ets:
                return {DcbWrite{dcb::setEtsRequest(port, *state.ets)}};
            case DcbConcern::maxRate:
                return {DcbWrite{dcb::setMaxRateRequest(port, *state.maxRates)}};
            case DcbConcern::pfc:
                return {};  // addPfcSteps
            case DcbConcern::buffers:
                return {DcbWrite{dcb::setBufferRequest(port, *state.buffers)}};
            case DcbConcern::apps:
                noteHiddenMap();
                return appWrites(found_->apps, wanted_.apps, driver_, port);
            case DcbConcern::appTrust:
                return {DcbWrite{dcb::setAppTrustRequest(port, *state.appTrust)}};
        }
        return {};
    }

    // An entry that goes leaves priority 0 in the hardware, and what stood there before
    // it came can be neither read nor written without an entry.
    void noteHiddenMap() {
        const bool some = std::ranges::any_of(found_->apps, [&](const auto& entry) {
            return entry.selector == resource::dcb::kSelectorDscp &&
                   std::ranges::find(wanted_.apps, entry) == wanted_.apps.end();
        });
        if (!some || !driver_.deleteWritesZero) {
            return;
        }
        look_.out.findings.push_back(
            {.id = "restore.hidden-map",
             .severity = resource::Severity::info,
             .summary = "DSCPs that were not listed have priority 0 in the hardware, "
                        "which counts while the port trusts DSCP",
             .evidence = "the driver writes 0 for an entry that is deleted; what was "
                         "there before cannot be read",
             .fix = "load the driver anew to have its own map",
             .device = link_.name});
    }

    const Item& item_;
    const Dcb& wanted_;
    const host::Link& link_;
    Looking& look_;
    const DriverFacts& driver_;
    Result<PortDcb> found_;
    std::optional<Step> pfcAfterBuffers_;
};

}  // namespace

void compareThing(const Item& item, const Dcb& dcb, Looking& look) {
    const auto link = look.where.find(dcb.link);
    if (link) {
        PortComparer(item, dcb, *link, look).compare();
        return;
    }
    for (const DcbConcern concern : dcb.concerns) {
        addAbsent(item, dcb.link.text(), toString(concern), link.error(), look);
    }
}

}  // namespace fabric::snapshot
