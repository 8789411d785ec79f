// SPDX-License-Identifier: Apache-2.0
#include "facts/readable.hpp"
#include "inventory/pci_topology.hpp"
#include "resource/acs/endpoint.hpp"
#include "resource/acs/matrix.hpp"
#include "resource/acs/observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace fabric::facts {

namespace {

namespace acs = resource::acs;

constexpr std::uint32_t kBridgeClass = 0x0604;
constexpr unsigned kInterfaceBits = 8;

bool isBridge(const host::PciFunction& function) {
    return function.classCode >> kInterfaceBits == kBridgeClass;
}

// What the link does and what it could do ("32.0 GT/s PCIe", lanes).
Value::Object linkOf(const host::FileReader& files, PciAddress address) {
    const std::string folder = "/sys/bus/pci/devices/" + address.text() + "/";
    return {{"speed", textValue(files, folder + "current_link_speed")},
            {"width", numberValue(files, folder + "current_link_width")},
            {"max_speed", textValue(files, folder + "max_link_speed")},
            {"max_width", numberValue(files, folder + "max_link_width")}};
}

Value endpointValue(const host::Reader& host, const acs::Endpoint& endpoint) {
    const host::PciFunction& function = *endpoint.function;
    Value::List bridges;
    std::ranges::transform(function.bridges,
                           std::back_inserter(bridges),
                           [](PciAddress bridge) { return Value(bridge.text()); });
    return Value::Object{
        {"pci", function.address.text()},
        {"kind", endpoint.kind == acs::EndpointKind::gpu ? "gpu" : "nic"},
        {"vendor", fmt::format("{:04x}", function.vendor)},
        {"device", fmt::format("{:04x}", function.device)},
        {"class", fmt::format("{:06x}", function.classCode)},
        {"driver", function.driver},
        {"numa_node", function.numaNode ? Value(*function.numaNode) : Value{}},
        {"iommu_group", function.iommuGroup ? Value(*function.iommuGroup) : Value{}},
        {"host_bridge", function.hostBridge},
        {"bridges", std::move(bridges)},
        {"link", linkOf(host.files, function.address)}};
}

Error notRead(const acs::Registers& registers) {
    return {.kind = registers.presence == acs::Presence::unprivileged
                        ? ErrorKind::permission
                        : ErrorKind::io,
            .action = "read the ACS registers",
            .sysErrno = 0,
            .detail = registers.detail};
}

// Null: the bridge has no ACS.
Value acsValue(const host::PciFunction& bridge,
               const acs::Registers& registers,
               Unreadable& unreadable) {
    if (registers.presence == acs::Presence::absent) {
        return {};
    }
    if (registers.presence != acs::Presence::present) {
        // One sentence for the whole machine when it is the caller who may not look.
        const bool all = registers.presence == acs::Presence::unprivileged;
        unreadable.note(all ? "ACS of bridges" : "ACS of " + bridge.address.text(),
                        notRead(registers));
        return Value::Object{{"unreadable", registers.detail}};
    }
    return Value::Object{{"offset", fmt::format("0x{:03x}", registers.offset)},
                         {"capability", fmt::format("0x{:04x}", registers.capability)},
                         {"control", fmt::format("0x{:04x}", registers.control)}};
}

Value bridgeValue(const host::Reader& host,
                  const host::PciFunction& bridge,
                  Unreadable& unreadable) {
    const acs::Registers registers = acs::readRegisters(host.pci, bridge.address);
    return Value::Object{
        {"pci", bridge.address.text()},
        {"vendor", fmt::format("{:04x}", bridge.vendor)},
        {"device", fmt::format("{:04x}", bridge.device)},
        {"port",
         registers.portType ? Value(acs::toString(*registers.portType)) : Value{}},
        {"numa_node", bridge.numaNode ? Value(*bridge.numaNode) : Value{}},
        {"acs", acsValue(bridge, registers, unreadable)},
        {"link", linkOf(host.files, bridge.address)}};
}

}  // namespace

Value::Object readablePci(const host::Reader& host, Unreadable& unreadable) {
    Value::Object value{{"endpoints", Value::List{}},
                        {"bridges", Value::List{}},
                        {"gpu_nic_paths", Value::List{}}};
    const auto pci = inventory::observePci(host);
    if (!pci) {
        unreadable.note("PCI functions", pci.error());
        return value;
    }
    const auto rdma = acs::rdmaFunctions(host);
    if (!rdma) {
        unreadable.note("RDMA functions", rdma.error());
    }
    const auto found =
        acs::findEndpoints(*pci, rdma.value_or(std::set<PciAddress>{}), {});
    Value::List endpoints;
    for (const acs::Endpoint& endpoint : found) {
        endpoints.push_back(endpointValue(host, endpoint));
    }
    Value::List bridges;
    for (const host::PciFunction& function : pci->functions()) {
        if (isBridge(function)) {
            bridges.push_back(bridgeValue(host, function, unreadable));
        }
    }
    Value::List paths;
    for (const acs::GpuNicPath& path : acs::gpuNicPaths(host.pci, *pci, found)) {
        paths.push_back(acs::toValue(path));
    }
    value["endpoints"] = std::move(endpoints);
    value["bridges"] = std::move(bridges);
    value["gpu_nic_paths"] = std::move(paths);
    return value;
}

}  // namespace fabric::facts
