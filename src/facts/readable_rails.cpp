// SPDX-License-Identifier: Apache-2.0
#include "facts/hex.hpp"
#include "facts/readable.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/observe.hpp"
#include "resource/dcb/trust.hpp"
#include "resource/ecn/ecn.hpp"
#include "resource/rdma_cm/rdma_cm.hpp"

#include <algorithm>
#include <utility>

namespace fabric::facts {

namespace {

namespace dcb = resource::dcb;
namespace ecn = resource::ecn;

template <typename Range>
Value::List numbers(const Range& range) {
    Value::List list;
    for (const auto number : range) {
        list.emplace_back(static_cast<std::int64_t>(number));
    }
    return list;
}

Value::List priorities(const std::set<Priority>& set) {
    Value::List list;
    for (const Priority priority : set) {
        list.emplace_back(unsigned{priority.number()});
    }
    return list;
}

Value pfcValue(const dcb::Pfc& pfc) {
    return Value::Object{{"priorities", priorities(pfc.priorities())},
                         {"capability", unsigned{pfc.capability}},
                         {"mbc", unsigned{pfc.macsecBypass}},
                         {"delay", unsigned{pfc.delay}}};
}

Value etsValue(const dcb::Ets& ets) {
    return Value::Object{{"willing", unsigned{ets.willing}},
                         {"capability", unsigned{ets.capability}},
                         {"cbs", unsigned{ets.creditBasedShaper}},
                         {"tx_bandwidth", numbers(ets.transmitBandwidth)},
                         {"rx_bandwidth", numbers(ets.receiveBandwidth)},
                         {"tsa", numbers(ets.selection)},
                         {"priority_to_tc", numbers(ets.priorityToTc)}};
}

Value buffersValue(const dcb::Buffers& buffers) {
    return Value::Object{{"priority_to_buffer", numbers(buffers.priorityToBuffer)},
                         {"bytes", numbers(buffers.bytes)},
                         {"total_bytes", std::int64_t{buffers.totalBytes}}};
}

Value appsValue(const std::vector<dcb::AppEntry>& apps) {
    Value::List list;
    for (const dcb::AppEntry& entry : apps) {
        list.emplace_back(Value::Object{{"selector", unsigned{entry.selector}},
                                        {"protocol", unsigned{entry.protocol}},
                                        {"priority", unsigned{entry.priority}}});
    }
    return list;
}

template <typename T, typename Make>
Value orNull(const std::optional<T>& value, Make make) {
    return value ? Value(make(*value)) : Value{};
}

// Null where the driver tells nothing; an attribute that is null is not "off".
Value dcbValue(const host::Reader& host,
               const inventory::PhysicalPort& port,
               Unreadable& unreadable) {
    const auto state = dcb::observe(host, port);
    if (!state) {
        unreadable.note("DCB of " + port.name, state.error());
        return {};
    }
    const dcb::TrustView trust = dcb::trustOf(*state, dcb::driverFacts(port.driver));
    return Value::Object{
        {"dcbx", orNull(state->dcbx, [](std::uint8_t bits) { return unsigned{bits}; })},
        {"trust", trust.state ? Value(trust.text) : Value{}},
        {"pfc", orNull(state->pfc, pfcValue)},
        {"ets", orNull(state->ets, etsValue)},
        {"max_rate_kbps", orNull(state->maxRates, numbers<dcb::MaxRates>)},
        {"buffers", orNull(state->buffers, buffersValue)},
        {"apps", orNull(state->apps, appsValue)},
        {"app_trust", orNull(state->appTrust, numbers<std::vector<std::uint8_t>>)}};
}

Value pointValue(const ecn::Point& point,
                 std::string_view part,
                 Unreadable& unreadable) {
    if (point.control == ecn::Control::none) {
        return {};
    }
    if (point.control == ecn::Control::wholePort) {
        const auto enabled = ecn::enabledOnPort(point);
        if (!enabled) {
            unreadable.note(part, enabled.error());
        }
        return enabled ? Value(*enabled) : Value{};
    }
    const auto enabled = ecn::enabledPriorities(point);
    if (!enabled) {
        unreadable.note(part, enabled.error());
    }
    return enabled ? Value(priorities(*enabled)) : Value{};
}

Value ecnValue(const host::Reader& host,
               const inventory::Rail& rail,
               const inventory::PhysicalPort& port,
               Unreadable& unreadable) {
    const ecn::State state = ecn::observe(host, port, rail.rdma);
    const std::string part = "ECN of " + port.name;
    const bool told = state.cnpDscp && state.cnpDscp->value;
    return Value::Object{
        {"mechanism", state.mechanism},
        {"reaction_point", pointValue(state.reactionPoint, part, unreadable)},
        {"notification_point", pointValue(state.notificationPoint, part, unreadable)},
        {"cnp_dscp", told ? Value(*state.cnpDscp->value) : Value{}},
        {"running", state.evidence.running()}};
}

Value pauseValue(const host::Reader& host,
                 const inventory::PhysicalPort& port,
                 Unreadable& unreadable) {
    const auto pause = host.ethtool.pause(port.link);
    if (!pause) {
        unreadable.note("pause of " + port.name, pause.error());
        return {};
    }
    return Value::Object{
        {"autonegotiate", pause->autonegotiate}, {"rx", pause->rx}, {"tx", pause->tx}};
}

Value portValue(const host::Reader& host,
                const inventory::Rail& rail,
                const inventory::PhysicalPort& port,
                Unreadable& unreadable) {
    const auto link = host.links.link(port.link);
    return Value::Object{
        {"name", portableText(port.name)},
        {"ifindex", std::int64_t{port.link.number}},
        {"pci", port.pci ? Value(port.pci->text()) : Value{}},
        {"driver", port.driver},
        {"firmware", portableText(port.firmware)},
        {"mtu", link ? Value(std::int64_t{link->mtu}) : Value{}},
        {"speed_mbps",
         numberValue(host.files, "/sys/class/net/" + port.name + "/speed")},
        {"dcb", dcbValue(host, port, unreadable)},
        {"ecn", ecnValue(host, rail, port, unreadable)},
        {"pause", pauseValue(host, port, unreadable)}};
}

Value interfaceNames(const inventory::Rail& rail) {
    Value::List names;
    for (const inventory::RailInterface& interface : rail.interfaces) {
        names.emplace_back(portableText(interface.name));
    }
    return names;
}

Value rdmaCmTos(const host::Reader& host, const inventory::Rail& rail) {
    if (!rail.rdma) {
        return {};
    }
    const auto state = resource::rdma_cm::observe(host, *rail.rdma);
    return state.tos ? Value(*state.tos) : Value{};
}

Value railValue(const host::Reader& host,
                const inventory::Rail& rail,
                Unreadable& unreadable) {
    Value::List ports;
    for (const inventory::PhysicalPort& port : rail.ports) {
        ports.push_back(portValue(host, rail, port, unreadable));
    }
    return Value::Object{
        {"name", portableText(rail.name)},
        {"ifindex", std::int64_t{rail.link.number}},
        {"rdma", rail.rdma ? Value(portableText(rail.rdma->device)) : Value{}},
        {"port", rail.rdma ? Value(rail.rdma->port) : Value{}},
        {"pci", rail.pci ? Value(rail.pci->text()) : Value{}},
        {"vendor", rail.vendor},
        {"device", rail.device},
        {"driver", rail.driver},
        {"firmware", portableText(rail.firmware)},
        {"mac", rail.mac ? Value(rail.mac->text()) : Value{}},
        {"numa_node", rail.numaNode ? Value(*rail.numaNode) : Value{}},
        {"carrier", rail.carrier},
        {"default_route_via", portableText(rail.defaultRouteVia)},
        {"interfaces", interfaceNames(rail)},
        {"rdma_cm_tos", rdmaCmTos(host, rail)},
        {"ports", std::move(ports)}};
}

}  // namespace

Value::List readableRails(const host::Reader& host,
                          const std::vector<inventory::Rail>& rails,
                          Unreadable& unreadable) {
    Value::List list;
    for (const inventory::Rail& rail : rails) {
        if (rail.rdma || rail.kind == inventory::FunctionKind::physical) {
            list.push_back(railValue(host, rail, unreadable));
        }
    }
    return list;
}

}  // namespace fabric::facts
