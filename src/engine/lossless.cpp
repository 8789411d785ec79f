// SPDX-License-Identifier: Apache-2.0
#include "engine/lossless.hpp"

#include "resource/dcb/driver.hpp"
#include "resource/dcb/trust.hpp"
#include "resource/mtu/mtu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fabric::engine {

namespace {

namespace dcb = resource::dcb;
namespace ecn = resource::ecn;

constexpr unsigned kTosToDscpShift = 2;
constexpr std::uint32_t kFullPathMtu = 4096;

Value listOf(const std::set<Priority>& priorities) {
    Value::List list;
    for (const Priority priority : priorities) {
        list.emplace_back(unsigned{priority.number()});
    }
    return list;
}

std::set<Priority> pfcPriorities(const PortObservation& seen) {
    return seen.dcb && seen.dcb->pfc ? seen.dcb->pfc->priorities()
                                     : std::set<Priority>{};
}

LosslessPart unreadDcb(std::string name, const PortObservation& seen) {
    LosslessPart part{.name = std::move(name)};
    part.note = seen.dcb ? "the driver does not tell it" : seen.dcb.error().message();
    if (!seen.dcb && seen.dcb.error().kind == ErrorKind::unsupported) {
        part.verdict = PartVerdict::wrong;
        part.note = "the driver has no DCB";
    }
    return part;
}

LosslessPart trustPart(const PortObservation& seen) {
    if (!seen.dcb) {
        return unreadDcb("trust", seen);
    }
    const dcb::TrustView view =
        dcb::trustOf(*seen.dcb, dcb::driverFacts(seen.port.driver));
    LosslessPart part{.name = "trust",
                      .value = view.text.empty() ? Value{} : Value(view.text)};
    if (!view.state) {
        part.note = view.problem;
        return part;
    }
    part.verdict =
        *view.state == dcb::TrustState::dscp ? PartVerdict::right : PartVerdict::wrong;
    if (part.verdict == PartVerdict::wrong) {
        part.note = "the marking of routed RoCE is in the DSCP, which is not trusted";
    }
    return part;
}

LosslessPart pfcPart(const PortObservation& seen) {
    if (!seen.dcb || !seen.dcb->pfc) {
        return unreadDcb("pfc", seen);
    }
    LosslessPart part{.name = "pfc",
                      .value = listOf(pfcPriorities(seen)),
                      .verdict = PartVerdict::right};
    if (pfcPriorities(seen).empty()) {
        part.verdict = PartVerdict::wrong;
        part.note = "no priority is paused instead of dropped";
    }
    return part;
}

LosslessPart dscpPart(const PortObservation& seen, const std::set<Priority>& lossless) {
    if (!seen.dcb || !seen.dcb->apps) {
        return unreadDcb("dscp-map", seen);
    }
    Value::Object map;
    bool mapped = false;
    for (const auto& [dscp, priorities] : seen.dcb->dscpEntries()) {
        for (const std::uint8_t priority : priorities) {
            if (lossless.contains(Priority::of(priority)) &&
                priority < kPriorityCount) {
                map.emplace(std::to_string(dscp.number()), unsigned{priority});
                mapped = true;
            }
        }
    }
    LosslessPart part{.name = "dscp-map", .value = std::move(map)};
    part.verdict = mapped ? PartVerdict::right : PartVerdict::wrong;
    if (!mapped) {
        part.note =
            "no DSCP is listed for a priority that has PFC: AIStor's AUTO traffic "
            "class is best effort";
    }
    return part;
}

LosslessPart bufferPart(const PortObservation& seen,
                        const std::set<Priority>& lossless) {
    LosslessPart part{.name = "buffer", .verdict = PartVerdict::absent};
    if (!seen.dcb) {
        return unreadDcb("buffer", seen);
    }
    if (!seen.dcb->buffers) {
        part.note = "the driver has no receive buffer control";
        return part;
    }
    const auto& map = seen.dcb->buffers->priorityToBuffer;
    Value::Object shown;
    std::set<std::uint8_t> losslessBuffers;
    std::set<std::uint8_t> otherBuffers;
    for (std::uint8_t priority = 0; priority < kPriorityCount; ++priority) {
        const bool paused = lossless.contains(Priority::of(priority));
        (paused ? losslessBuffers : otherBuffers).insert(map[priority]);
        if (paused) {
            shown.emplace(std::to_string(priority), unsigned{map[priority]});
        }
    }
    part.value = std::move(shown);
    const bool shared = std::ranges::any_of(losslessBuffers, [&](std::uint8_t buffer) {
        return otherBuffers.contains(buffer);
    });
    part.verdict =
        losslessBuffers.empty() || shared ? PartVerdict::wrong : PartVerdict::right;
    if (part.verdict == PartVerdict::wrong) {
        part.note =
            shared ? "a priority with PFC shares its receive buffer with one without"
                   : "no priority has PFC, so no buffer is lossless";
    }
    return part;
}

// One end of ECN: on for every priority that has PFC?
PartVerdict pointVerdict(const ecn::Point& point,
                         const std::set<Priority>& lossless,
                         std::string& note) {
    if (point.control == ecn::Control::none) {
        return PartVerdict::absent;
    }
    if (point.control == ecn::Control::wholePort) {
        const auto enabled = ecn::enabledOnPort(point);
        note = enabled ? "" : enabled.error().message();
        return !enabled   ? PartVerdict::unknown
               : *enabled ? PartVerdict::right
                          : PartVerdict::wrong;
    }
    const auto enabled = ecn::enabledPriorities(point);
    if (!enabled) {
        note = enabled.error().message();
        return PartVerdict::unknown;
    }
    const bool all = !lossless.empty() && std::ranges::includes(*enabled, lossless);
    return all ? PartVerdict::right : PartVerdict::wrong;
}

std::string_view onOff(PartVerdict verdict) {
    switch (verdict) {
        case PartVerdict::right:
            return "on";
        case PartVerdict::wrong:
            return "off";
        case PartVerdict::unknown:
            return "unknown";
        case PartVerdict::absent:
            return "not controllable";
    }
    return "unknown";
}

LosslessPart ecnPart(const PortObservation& seen, const std::set<Priority>& lossless) {
    LosslessPart part{.name = "ecn"};
    std::string note;
    const PartVerdict reaction = pointVerdict(seen.ecn.reactionPoint, lossless, note);
    const PartVerdict notification =
        pointVerdict(seen.ecn.notificationPoint, lossless, note);
    part.value = Value::Object{{"reaction-point", onOff(reaction)},
                               {"notification-point", onOff(notification)},
                               {"running", seen.ecn.evidence.running()}};
    const auto either = [&](PartVerdict verdict) {
        return reaction == verdict || notification == verdict;
    };
    if (either(PartVerdict::wrong)) {
        part.verdict = PartVerdict::wrong;
        part.note =
            "ECN is off for a priority that has PFC: senders are not slowed down "
            "before pauses spread";
    } else if (either(PartVerdict::unknown)) {
        part.note = note;
    } else {
        part.verdict =
            either(PartVerdict::right) ? PartVerdict::right : PartVerdict::absent;
        part.note = either(PartVerdict::right)
                        ? ""
                        : "this driver offers no ECN control per priority";
    }
    return part;
}

LosslessPart pausePart(const PortObservation& seen) {
    LosslessPart part{.name = "pause"};
    if (!seen.pause) {
        const bool absent = seen.pause.error().kind == ErrorKind::unsupported;
        part.verdict = absent ? PartVerdict::absent : PartVerdict::unknown;
        part.note = seen.pause.error().message();
        return part;
    }
    const bool on = seen.pause->rx || seen.pause->tx;
    part.value = Value::Object{{"rx", seen.pause->rx}, {"tx", seen.pause->tx}};
    part.verdict = on ? PartVerdict::wrong : PartVerdict::right;
    part.note = on ? "global pause stops every priority and fights PFC" : "";
    return part;
}

LosslessPart tosPart(const PortObservation& seen, const std::set<Priority>& lossless) {
    LosslessPart part{
        .name = "rdma-cm-tos", .verdict = PartVerdict::absent, .decides = false};
    if (!seen.rdmaCm) {
        return part;
    }
    if (!seen.rdmaCm->tos) {
        part.verdict = PartVerdict::unknown;
        part.note =
            seen.rdmaCm->error
                ? seen.rdmaCm->error->message()
                : "configfs shows it only after a group was made for the device";
        return part;
    }
    part.value = *seen.rdmaCm->tos;
    part.verdict = PartVerdict::wrong;
    if (seen.dcb) {
        const auto entries = seen.dcb->dscpEntries();
        const auto entry = entries.find(
            Dscp::of(static_cast<std::uint8_t>(*seen.rdmaCm->tos >> kTosToDscpShift)));
        const bool maps =
            entry != entries.end() &&
            std::ranges::any_of(entry->second, [&](std::uint8_t priority) {
                return lossless.contains(Priority::of(priority));
            });
        part.verdict = maps ? PartVerdict::right : PartVerdict::wrong;
    }
    if (part.verdict == PartVerdict::wrong) {
        part.note = "rdma_cm connections whose application sets no ToS are best effort";
    }
    return part;
}

LosslessPart mtuPart(const PortObservation& seen) {
    LosslessPart part{.name = "mtu", .decides = false};
    if (seen.mtu == 0) {
        part.note = "the link could not be read";
        return part;
    }
    const std::uint32_t pathMtu = resource::mtu::rocePathMtu(seen.mtu);
    part.value = seen.mtu;
    part.verdict = pathMtu >= kFullPathMtu ? PartVerdict::right : PartVerdict::wrong;
    if (part.verdict == PartVerdict::wrong) {
        part.note = fmt::format(
            "the RoCE path MTU is {} bytes; 4096 needs a link MTU of at least 4192",
            pathMtu);
    }
    return part;
}

}  // namespace

std::string_view toString(LosslessVerdict verdict) {
    switch (verdict) {
        case LosslessVerdict::lossless:
            return "lossless";
        case LosslessVerdict::lossy:
            return "not lossless";
        case LosslessVerdict::unknown:
            return "unknown";
        case LosslessVerdict::notApplicable:
            return "not applicable";
    }
    return "unknown";
}

std::string_view toString(PartVerdict verdict) {
    switch (verdict) {
        case PartVerdict::right:
            return "ok";
        case PartVerdict::wrong:
            return "wrong";
        case PartVerdict::unknown:
            return "unknown";
        case PartVerdict::absent:
            return "not controllable";
    }
    return "unknown";
}

std::vector<LosslessPart> losslessParts(const PortObservation& seen) {
    const std::set<Priority> lossless = pfcPriorities(seen);
    return {trustPart(seen),
            pfcPart(seen),
            dscpPart(seen, lossless),
            bufferPart(seen, lossless),
            ecnPart(seen, lossless),
            pausePart(seen),
            tosPart(seen, lossless),
            mtuPart(seen)};
}

LosslessVerdict losslessVerdict(const std::vector<LosslessPart>& parts) {
    const auto anyDeciding = [&](PartVerdict verdict) {
        return std::ranges::any_of(parts, [&](const LosslessPart& part) {
            return part.decides && part.verdict == verdict;
        });
    };
    if (anyDeciding(PartVerdict::wrong)) {
        return LosslessVerdict::lossy;
    }
    if (parts.empty() || anyDeciding(PartVerdict::unknown)) {
        return parts.empty() ? LosslessVerdict::notApplicable
                             : LosslessVerdict::unknown;
    }
    return LosslessVerdict::lossless;
}

}  // namespace fabric::engine
