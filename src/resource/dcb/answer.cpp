// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/answer.hpp"

#include "resource/dcb/attributes.hpp"
#include "resource/dcb/wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

namespace fabric::resource::dcb {

namespace {

// The kernel's internal errno ENOTSUPP (include/linux/errno.h), which never
// fits into one byte: 524 becomes the byte of ENOMEM.
constexpr int kKernelEnotsupp = 524;

Result<void> decodePfc(const Attribute& attribute, State& state) {
    const auto wire = TRY(structureOf<ieee_pfc>(attribute, "PFC"));
    state.pfc = Pfc{.capability = wire.pfc_cap,
                    .enabled = wire.pfc_en,
                    .macsecBypass = wire.mbc,
                    .delay = wire.delay};
    return {};
}

Result<void> decodeEts(const Attribute& attribute, State& state) {
    const auto wire = TRY(structureOf<ieee_ets>(attribute, "ETS"));
    Ets ets{.willing = wire.willing,
            .capability = wire.ets_cap,
            .creditBasedShaper = wire.cbs};
    std::ranges::copy(wire.tc_tx_bw, ets.transmitBandwidth.begin());
    std::ranges::copy(wire.tc_rx_bw, ets.receiveBandwidth.begin());
    std::ranges::copy(wire.tc_tsa, ets.selection.begin());
    std::ranges::copy(wire.prio_tc, ets.priorityToTc.begin());
    std::ranges::copy(wire.tc_reco_bw, ets.recommendedBandwidth.begin());
    std::ranges::copy(wire.tc_reco_tsa, ets.recommendedSelection.begin());
    std::ranges::copy(wire.reco_prio_tc, ets.recommendedPriorityToTc.begin());
    state.ets = ets;
    return {};
}

Result<void> decodeMaxRates(const Attribute& attribute, State& state) {
    const auto wire = TRY(structureOf<ieee_maxrate>(attribute, "MAXRATE"));
    MaxRates rates{};
    std::ranges::copy(wire.tc_maxrate, rates.begin());
    state.maxRates = rates;
    return {};
}

Result<void> decodeBuffers(const Attribute& attribute, State& state) {
    const auto wire = TRY(structureOf<dcbnl_buffer>(attribute, "BUFFER"));
    Buffers buffers{.totalBytes = wire.total_size};
    std::ranges::copy(wire.prio2buffer, buffers.priorityToBuffer.begin());
    std::ranges::copy(wire.buffer_size, buffers.bytes.begin());
    state.buffers = buffers;
    return {};
}

Result<std::vector<AppEntry>> listedApps(const Attribute& attribute) {
    std::vector<AppEntry> entries;
    for (const Attribute& item : TRY(parseAttributes(attribute.payload))) {
        if (item.type != DCB_ATTR_IEEE_APP && item.type != wire::kNonStandardApp) {
            continue;
        }
        const auto app = TRY(structureOf<dcb_app>(item, "APP entry"));
        entries.push_back({.selector = app.selector,
                           .protocol = app.protocol,
                           .priority = app.priority});
    }
    return entries;
}

Result<void> decodeApps(const Attribute& attribute, State& state) {
    state.apps = TRY(listedApps(attribute));
    std::ranges::sort(*state.apps);
    return {};
}

Result<void> decodeAppTrust(const Attribute& attribute, State& state) {
    std::vector<std::uint8_t> selectors;
    for (const Attribute& item : TRY(parseAttributes(attribute.payload))) {
        if (item.type == DCB_ATTR_IEEE_APP || item.type == wire::kNonStandardApp) {
            selectors.push_back(TRY(structureOf<std::uint8_t>(item, "APP trust")));
        }
    }
    state.appTrust = std::move(selectors);
    return {};
}

using Decoder = Result<void> (*)(const Attribute&, State&);

constexpr std::array<std::pair<std::uint16_t, Decoder>, 6> kIeeeDecoders{{
    {DCB_ATTR_IEEE_ETS, decodeEts},
    {DCB_ATTR_IEEE_PFC, decodePfc},
    {DCB_ATTR_IEEE_APP_TABLE, decodeApps},
    {DCB_ATTR_IEEE_MAXRATE, decodeMaxRates},
    {DCB_ATTR_DCB_BUFFER, decodeBuffers},
    {wire::kAppTrustTable, decodeAppTrust},
}};

Result<void> decodeIeee(const Attribute& ieee, State& state) {
    for (const Attribute& item : TRY(parseAttributes(ieee.payload))) {
        const auto* const known = std::ranges::find(
            kIeeeDecoders, item.type, &std::pair<std::uint16_t, Decoder>::first);
        if (known != kIeeeDecoders.end()) {
            TRY(known->second(item, state));
        }
    }
    return {};
}

}  // namespace

Result<State> decodeState(const host::DcbAnswer& answer) {
    State state;
    for (const Attribute& item : TRY(parseAttributes(answer))) {
        if (item.type == DCB_ATTR_IEEE) {
            TRY(decodeIeee(item, state));
        }
        if (item.type == DCB_ATTR_DCBX) {
            state.dcbx = TRY(structureOf<std::uint8_t>(item, "DCBX"));
        }
    }
    return state;
}

Result<std::vector<AppEntry>> decodeListedApps(const host::DcbAnswer& answer) {
    for (const Attribute& item : TRY(parseAttributes(answer))) {
        if (item.type != DCB_ATTR_IEEE) {
            continue;
        }
        for (const Attribute& table : TRY(parseAttributes(item.payload))) {
            if (table.type == DCB_ATTR_IEEE_APP_TABLE) {
                return listedApps(table);
            }
        }
    }
    return std::vector<AppEntry>{};
}

Result<std::uint8_t> decodeDcbx(const host::DcbAnswer& answer) {
    for (const Attribute& item : TRY(parseAttributes(answer))) {
        if (item.type == DCB_ATTR_DCBX) {
            return structureOf<std::uint8_t>(item, "DCBX");
        }
    }
    return fail({.kind = ErrorKind::malformed,
                 .action = "decode DCB answer",
                 .subject = "DCBX",
                 .detail = "attribute missing",
                 .advice = {}});
}

namespace {

Result<std::uint8_t> resultByte(const host::DcbRequest& request,
                                const host::DcbAnswer& answer) {
    const std::uint16_t type = request.command == host::DcbCommand::setDcbx
                                   ? std::uint16_t{DCB_ATTR_DCBX}
                                   : std::uint16_t{DCB_ATTR_IEEE};
    for (const Attribute& item : TRY(parseAttributes(answer))) {
        if (item.type == type) {
            return structureOf<std::uint8_t>(item, "result");
        }
    }
    return fail({.kind = ErrorKind::malformed,
                 .action = describe(request),
                 .subject = "interface index " + std::to_string(request.link.number),
                 .detail = "the answer carries no result",
                 .advice = "run check to see what the port holds now"});
}

ErrorKind kindOfRefusal(int number) {
    if (number == EOPNOTSUPP) {
        return ErrorKind::unsupported;
    }
    return number == EBUSY ? ErrorKind::busy : ErrorKind::refused;
}

Error refusal(const host::DcbRequest& request, std::uint8_t code) {
    const int number = 256 - code;
    std::string detail =
        fmt::format("the driver answered code {} inside the reply", code);
    if (number == ENOMEM) {
        static_assert((-kKernelEnotsupp & 0xff) == (-ENOMEM & 0xff));
        detail += ": ENOMEM or ENOTSUPP, which share this byte";
    }
    return {.kind = kindOfRefusal(number),
            .action = describe(request),
            .subject = "interface index " + std::to_string(request.link.number),
            .sysErrno = number,
            .detail = std::move(detail),
            .advice = {}};
}

std::string noteOnPositive(const host::DcbRequest& request, std::uint8_t code) {
    if (request.command == host::DcbCommand::setDcbx) {
        return fmt::format(
            "the driver answered {}: refused, or already in that mode; not proven",
            code);
    }
    return fmt::format(
        "the driver answered {}, which is neither success nor an errno; "
        "not proven until read back",
        code);
}

}  // namespace

Result<SetOutcome> decodeSetResult(const host::DcbRequest& request,
                                   const host::DcbAnswer& answer) {
    const std::uint8_t code = TRY(resultByte(request, answer));
    if (code == 0) {
        return SetOutcome{};
    }
    // SDCBX answers the driver's own u8, in which 0 is success and anything else is
    // not; it is never an errno.
    const bool isErrno = code >= 0x80 && request.command != host::DcbCommand::setDcbx;
    if (isErrno) {
        return fail(refusal(request, code));
    }
    return SetOutcome{
        .code = code, .unproven = true, .note = noteOnPositive(request, code)};
}

namespace {

std::string describeApp(const Attribute& table) {
    const auto items = parseAttributes(table.payload);
    if (!items || items->empty()) {
        return "APP entry";
    }
    const auto app = structureOf<dcb_app>(items->front(), "APP entry");
    if (!app) {
        return "APP entry";
    }
    if (app->selector == kSelectorDscp) {
        return fmt::format("DSCP {} -> priority {}", app->protocol, app->priority);
    }
    return fmt::format("APP entry selector {} protocol {} -> priority {}",
                       app->selector,
                       app->protocol,
                       app->priority);
}

std::string describeConcern(const Attribute& item) {
    switch (item.type) {
        case DCB_ATTR_IEEE_ETS:
            return "ETS";
        case DCB_ATTR_IEEE_PFC:
            return "PFC";
        case DCB_ATTR_IEEE_MAXRATE:
            return "max rate";
        case DCB_ATTR_DCB_BUFFER:
            return "buffers";
        case wire::kAppTrustTable:
            return "APP trust";
        case DCB_ATTR_IEEE_APP_TABLE:
            return describeApp(item);
        default:
            return "DCB";
    }
}

std::string describeIeee(const host::DcbRequest& request) {
    const auto top = parseAttributes(request.attributes);
    if (!top || top->empty()) {
        return "DCB";
    }
    const auto concerns = parseAttributes(top->front().payload);
    return !concerns || concerns->empty() ? "DCB" : describeConcern(concerns->front());
}

}  // namespace

std::string describe(const host::DcbRequest& request) {
    switch (request.command) {
        case host::DcbCommand::ieeeGet:
            return "read DCB";
        case host::DcbCommand::getDcbx:
            return "read DCBX";
        case host::DcbCommand::setDcbx:
            return "set DCBX";
        case host::DcbCommand::ieeeSet:
            return "set " + describeIeee(request);
        case host::DcbCommand::ieeeDelete:
            return "delete " + describeIeee(request);
    }
    return "DCB";
}

}  // namespace fabric::resource::dcb
