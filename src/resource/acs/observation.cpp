// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/observation.hpp"

#include <linux/pci_regs.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace fabric::resource::acs {

namespace {

ConfigSpace spaceOf(const host::PciReader& pci, PciAddress address) {
    return [&pci, address](std::uint16_t offset, std::uint16_t length) {
        return pci.readConfig(address, offset, length);
    };
}

bool passesTranslated(const Port& port) {
    return port.registers.presence == Presence::present &&
           (port.registers.control & PCI_ACS_DT) != 0;
}

std::set<PciAddress> translatedPassers(std::span<const Port> ports) {
    std::set<PciAddress> passers;
    for (const Port& port : ports) {
        if (passesTranslated(port)) {
            passers.insert(port.address);
        }
    }
    return passers;
}

// Those of `ports` that lie above the function.
std::vector<PciAddress> above(const host::PciFunction& function,
                              const std::set<PciAddress>& ports) {
    std::vector<PciAddress> found;
    std::ranges::copy_if(function.bridges,
                         std::back_inserter(found),
                         [&](PciAddress bridge) { return ports.contains(bridge); });
    return found;
}

// The ports with DT on that have a NIC with address translation services below. DT is
// rare, so most machines cost no read here.
std::set<PciAddress> translatedPorts(const host::PciReader& pci,
                                     std::span<const Endpoint> endpoints,
                                     std::span<const Port> ports) {
    const std::set<PciAddress> passers = translatedPassers(ports);
    std::set<PciAddress> translated;
    for (const Endpoint& endpoint : endpoints) {
        const auto upwards = above(*endpoint.function, passers);
        if (endpoint.kind == EndpointKind::nic && !upwards.empty() &&
            translationServicesEnabled(spaceOf(pci, endpoint.function->address))
                .value_or(false)) {
            translated.insert(upwards.begin(), upwards.end());
        }
    }
    return translated;
}

}  // namespace

Registers readRegisters(const host::PciReader& pci, PciAddress address) {
    return readRegisters(spaceOf(pci, address));
}

std::vector<Port> observePorts(const host::Reader& host,
                               const inventory::PciTopology& pci,
                               std::span<const Endpoint> endpoints,
                               const std::map<PciAddress, Below>& bridges) {
    std::map<PciAddress, Hazard> hazards = findHazards(host.files, pci, bridges);
    std::vector<Port> ports;
    ports.reserve(bridges.size());
    for (const auto& [address, below] : bridges) {
        ports.push_back({.address = address,
                         .registers = readRegisters(host.pci, address),
                         .below = below,
                         .hazard = std::move(hazards[address]),
                         .translatedTraffic = false});
    }
    const auto translated = translatedPorts(host.pci, endpoints, ports);
    for (Port& port : ports) {
        port.translatedTraffic = translated.contains(port.address);
    }
    return ports;
}

}  // namespace fabric::resource::acs
