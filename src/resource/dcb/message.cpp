// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/message.hpp"

#include "resource/dcb/attributes.hpp"
#include "resource/dcb/wire.hpp"

#include <algorithm>
#include <utility>

namespace fabric::resource::dcb {

namespace {

using host::DcbCommand;
using host::DcbRequest;

DcbRequest ieeeRequest(IfIndex link, DcbCommand command, const AttributeWriter& inner) {
    AttributeWriter top;
    top.nest(DCB_ATTR_IEEE, inner);
    return {.link = link, .command = command, .attributes = top.bytes()};
}

// APP entries of a standard selector and of the PCP selector have attribute types of
// their own; a mismatch is -EINVAL (net/dcb/dcbnl.c, dcbnl_app_attr_type_validate).
std::uint16_t attributeTypeOf(std::uint8_t selector) {
    return selector == kSelectorPcp ? wire::kNonStandardApp
                                    : std::uint16_t{DCB_ATTR_IEEE_APP};
}

DcbRequest appRequest(IfIndex link, DcbCommand command, const AppEntry& entry) {
    const dcb_app app{.selector = entry.selector,
                      .priority = entry.priority,
                      .protocol = entry.protocol};
    AttributeWriter table;
    table.put(attributeTypeOf(entry.selector), app);
    AttributeWriter ieee;
    ieee.nest(DCB_ATTR_IEEE_APP_TABLE, table);
    return ieeeRequest(link, command, ieee);
}

template <typename Structure>
DcbRequest structureRequest(IfIndex link,
                            std::uint16_t type,
                            const Structure& structure) {
    AttributeWriter ieee;
    ieee.put(type, structure);
    return ieeeRequest(link, DcbCommand::ieeeSet, ieee);
}

}  // namespace

DcbRequest getRequest(IfIndex link) {
    return {.link = link, .command = DcbCommand::ieeeGet, .attributes = {}};
}

DcbRequest getDcbxRequest(IfIndex link) {
    return {.link = link, .command = DcbCommand::getDcbx, .attributes = {}};
}

DcbRequest setDcbxRequest(IfIndex link, std::uint8_t mode) {
    AttributeWriter top;
    top.put(DCB_ATTR_DCBX, mode);
    return {.link = link, .command = DcbCommand::setDcbx, .attributes = top.bytes()};
}

DcbRequest setPfcRequest(IfIndex link, const Pfc& pfc) {
    ieee_pfc structure{};
    structure.pfc_cap = pfc.capability;
    structure.pfc_en = pfc.enabled;
    structure.mbc = pfc.macsecBypass;
    structure.delay = pfc.delay;
    return structureRequest(link, DCB_ATTR_IEEE_PFC, structure);
}

DcbRequest setEtsRequest(IfIndex link, const Ets& ets) {
    ieee_ets structure{};
    structure.willing = ets.willing;
    structure.ets_cap = ets.capability;
    structure.cbs = ets.creditBasedShaper;
    std::ranges::copy(ets.transmitBandwidth, structure.tc_tx_bw);
    std::ranges::copy(ets.receiveBandwidth, structure.tc_rx_bw);
    std::ranges::copy(ets.selection, structure.tc_tsa);
    std::ranges::copy(ets.priorityToTc, structure.prio_tc);
    std::ranges::copy(ets.recommendedBandwidth, structure.tc_reco_bw);
    std::ranges::copy(ets.recommendedSelection, structure.tc_reco_tsa);
    std::ranges::copy(ets.recommendedPriorityToTc, structure.reco_prio_tc);
    return structureRequest(link, DCB_ATTR_IEEE_ETS, structure);
}

DcbRequest setMaxRateRequest(IfIndex link, const MaxRates& rates) {
    ieee_maxrate structure{};
    std::ranges::copy(rates, structure.tc_maxrate);
    return structureRequest(link, DCB_ATTR_IEEE_MAXRATE, structure);
}

DcbRequest setBufferRequest(IfIndex link, const Buffers& buffers) {
    dcbnl_buffer structure{};
    std::ranges::copy(buffers.priorityToBuffer, structure.prio2buffer);
    std::ranges::copy(buffers.bytes, structure.buffer_size);
    structure.total_size = buffers.totalBytes;
    return structureRequest(link, DCB_ATTR_DCB_BUFFER, structure);
}

DcbRequest setAppRequest(IfIndex link, const AppEntry& entry) {
    return appRequest(link, DcbCommand::ieeeSet, entry);
}

DcbRequest deleteAppRequest(IfIndex link, const AppEntry& entry) {
    return appRequest(link, DcbCommand::ieeeDelete, entry);
}

DcbRequest setAppTrustRequest(IfIndex link, std::span<const std::uint8_t> selectors) {
    AttributeWriter table;
    for (const std::uint8_t selector : selectors) {
        table.put(attributeTypeOf(selector), selector);
    }
    AttributeWriter ieee;
    ieee.nest(wire::kAppTrustTable, table);
    return ieeeRequest(link, DcbCommand::ieeeSet, ieee);
}

}  // namespace fabric::resource::dcb
