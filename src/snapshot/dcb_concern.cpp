// SPDX-License-Identifier: Apache-2.0
#include "snapshot/dcb_concern.hpp"

#include "resource/dcb/answer.hpp"
#include "resource/dcb/attributes.hpp"
#include "resource/dcb/message.hpp"
#include "resource/dcb/wire.hpp"

namespace fabric::snapshot {

namespace {

using resource::dcb::State;

// The concern of each attribute inside DCB_ATTR_IEEE.
std::optional<DcbConcern> concernOf(std::uint16_t attribute) {
    switch (attribute) {
        case DCB_ATTR_IEEE_ETS:
            return DcbConcern::ets;
        case DCB_ATTR_IEEE_MAXRATE:
            return DcbConcern::maxRate;
        case DCB_ATTR_IEEE_PFC:
            return DcbConcern::pfc;
        case DCB_ATTR_DCB_BUFFER:
            return DcbConcern::buffers;
        case DCB_ATTR_IEEE_APP_TABLE:
            return DcbConcern::apps;
        case resource::dcb::wire::kAppTrustTable:
            return DcbConcern::appTrust;
        default:
            return std::nullopt;
    }
}

// mlx5 sets its buffers up anew with PFC, and ice falls back to its defaults of PFC and
// ETS with the last DSCP entry (mlx5/core/en/port_buffer.c, ice/ice_dcb_nl.c).
void addConsequences(DcbConcern concern,
                     const resource::dcb::DriverFacts& driver,
                     std::set<DcbConcern>& concerns) {
    if (concern == DcbConcern::pfc) {
        concerns.insert(DcbConcern::buffers);
    }
    if (concern == DcbConcern::apps && driver.lastEntryResets) {
        concerns.insert({DcbConcern::pfc, DcbConcern::ets});
    }
}

}  // namespace

Result<PortDcb> observePort(const host::Reader& host, IfIndex link) {
    const host::DcbAnswer answer = TRY(host.dcb.get(resource::dcb::getRequest(link)));
    PortDcb port;
    port.state = TRY(resource::dcb::decodeState(answer));
    port.apps = TRY(resource::dcb::decodeListedApps(answer));
    return port;
}

std::set<DcbConcern> concernsOf(const host::DcbRequest& request,
                                const resource::dcb::DriverFacts& driver) {
    if (request.command == host::DcbCommand::setDcbx) {
        return {DcbConcern::dcbx};
    }
    std::set<DcbConcern> concerns;
    const auto top = resource::dcb::parseAttributes(request.attributes);
    for (const auto& outer : top.value_or(std::vector<resource::dcb::Attribute>{})) {
        const auto inner = resource::dcb::parseAttributes(outer.payload);
        if (outer.type != DCB_ATTR_IEEE || !inner) {
            continue;
        }
        for (const auto& item : *inner) {
            if (const auto concern = concernOf(item.type)) {
                concerns.insert(*concern);
                addConsequences(*concern, driver, concerns);
            }
        }
    }
    return concerns;
}

bool tells(const PortDcb& port, DcbConcern concern) {
    switch (concern) {
        case DcbConcern::dcbx:
            return port.state.dcbx.has_value();
        case DcbConcern::ets:
            return port.state.ets.has_value();
        case DcbConcern::maxRate:
            return port.state.maxRates.has_value();
        case DcbConcern::pfc:
            return port.state.pfc.has_value();
        case DcbConcern::buffers:
            return port.state.buffers.has_value();
        case DcbConcern::apps:
            return port.state.apps.has_value();
        case DcbConcern::appTrust:
            return port.state.appTrust.has_value();
    }
    return false;
}

void take(DcbConcern concern, const PortDcb& from, Dcb& to) {
    if (!tells(from, concern)) {
        return;
    }
    to.concerns.insert(concern);
    copyConcern(concern, from.state, from.apps, to);
}

}  // namespace fabric::snapshot
