// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/acs.hpp"

#include "resource/acs/finding.hpp"
#include "resource/acs/kernel_parameter.hpp"
#include "resource/acs/observation.hpp"
#include "resource/acs/order.hpp"

#include <linux/pci_regs.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::resource::acs {

namespace {

using profile::Consent;

// One look: what the profile wants of this machine.
struct Look {
    const profile::AcsSettings& settings;
    const inventory::Platform& platform;
    const Orders& orders;
};

std::string bootAdvice(std::span<const Port> ports, const Look& look) {
    std::vector<PortGoal> goals;
    for (const Port& port : ports) {
        const Order order = look.orders.forPort(port.address);
        if (concerns(port, order)) {
            const Registers& registers = port.registers;
            const Masks masks = order.masks.value_or(Masks{});
            goals.push_back(
                {.address = port.address,
                 .capability = registers.capability,
                 .control = applied(registers.control, registers.capability, masks)});
        }
    }
    if (goals.empty()) {
        return {};
    }
    return kernelParameter(look.platform.kernelRelease, look.settings.clear, goals)
        .advice();
}

Policy policyFor(std::span<const Port> ports, const Look& look) {
    const profile::AcsSettings& settings = look.settings;
    // The platform masks are meant for a translating IOMMU.
    const bool platform = settings.clear == profile::AcsClear::platform;
    return {
        .onTranslatingIommu = platform ? Consent::proceed : settings.onTranslatingIommu,
        .onPassthrough = settings.onPassthrough,
        .refuseGuest =
            look.platform.guest == true && settings.onGuest == Consent::refuse,
        .lockdown = look.platform.lockdown,
        .bootAdvice = bootAdvice(ports, look)};
}

Step stepFor(const Port& port, const Assessment& assessment, Masks masks) {
    const Registers& registers = port.registers;
    return {.stage = Stage::acs,
            .rail = {},
            .link = {},
            .disturbs = Disturbs::none,
            .summary = fmt::format("set ACS control of {} from {} to {}",
                                   port.address.text(),
                                   assessment.found.toText(),
                                   assessment.wanted.toText()),
            .ids = {assessment.id},
            .writes = {host::PciCapabilityWrite{
                .address = port.address,
                .capabilityId = PCI_EXT_CAP_ID_ACS,
                .capability = registers.offset,
                .registerOffset = PCI_ACS_CTRL,
                .clear = masks.clear,
                .set = static_cast<std::uint16_t>(masks.set & registers.capability)}}};
}

Comparison comparePorts(std::span<const Port> ports, const Look& look) {
    const Policy policy = policyFor(ports, look);
    Comparison comparison;
    for (const Port& port : ports) {
        const Order order = look.orders.forPort(port.address);
        Assessment assessment = compare(port, order, policy);
        if (assessment.verdict == Verdict::differs && !policy.lockedDown()) {
            comparison.steps.push_back(
                stepFor(port, assessment, order.masks.value_or(Masks{})));
        }
        comparison.assessments.push_back(std::move(assessment));
    }
    comparison.findings = portFindings({.ports = ports,
                                        .assessments = comparison.assessments,
                                        .settings = look.settings,
                                        .platform = look.platform,
                                        .policy = policy});
    return comparison;
}

// Nothing about any bridge can be said.
Comparison unreadable(const Error& error) {
    return {.assessments = {{.id = "acs/host/control",
                             .kind = Kind::acs,
                             .device = "host",
                             .property = "control",
                             .verdict = Verdict::unreadable,
                             .reason = error.message(),
                             .fix = error.advice}},
            .steps = {},
            .findings = {}};
}

Finding nothingSelected(std::span<const Endpoint> endpoints) {
    if (endpoints.empty()) {
        return {.id = "acs.no-endpoint",
                .severity = Severity::info,
                .summary =
                    "no GPU and no RDMA NIC was found, there is no bridge to "
                    "configure",
                .evidence = "PCI functions by class and vendor, RDMA ports",
                .fix = "load the RDMA drivers, or name the functions in acs.endpoints"};
    }
    return {.id = "acs.no-path",
            .severity = Severity::info,
            .summary = "no GPU and NIC share a switch, there is no bridge to configure",
            .evidence = fmt::format("{} endpoints, acs.scope and acs.endpoints",
                                    endpoints.size()),
            .fix = "acs.scope: upstream takes every bridge above a GPU or an RDMA NIC"};
}

Finding wrongForPlatform() {
    return {.id = "acs.platform",
            .severity = Severity::fail,
            .summary =
                "acs.clear would break the direct path of this machine (NVIDIA "
                "Grace or Vera, or ConnectX-8 Data Direct)",
            .evidence = "PCI ids of root ports and NICs",
            .fix = "set acs.clear: platform"};
}

std::vector<Port> unreadPorts(const std::map<PciAddress, Below>& bridges) {
    std::vector<Port> ports;
    ports.reserve(bridges.size());
    for (const auto& [address, below] : bridges) {
        ports.push_back({.address = address, .below = below});
    }
    return ports;
}

bool anyGpu(std::span<const Endpoint> endpoints) {
    return std::ranges::any_of(endpoints, [](const Endpoint& endpoint) {
        return endpoint.kind == EndpointKind::gpu;
    });
}

Result<Comparison> assessOn(const host::Reader& host,
                            const inventory::PciTopology& pci,
                            const profile::AcsSettings& settings,
                            const inventory::Platform& platform) {
    const std::set<PciAddress> rdma = TRY(rdmaFunctions(host));
    const auto endpoints = findEndpoints(pci, rdma, settings.endpoints);
    // The platform masks belong to whole complexes, the root port included.
    const auto reach = settings.clear == profile::AcsClear::platform
                           ? profile::AcsScope::upstream
                           : settings.scope;
    const auto bridges = selectBridges(endpoints, reach);
    const Orders orders(settings, pci, anyGpu(endpoints));
    const auto ports = orders.skipsAll() ? unreadPorts(bridges)
                                         : observePorts(host, pci, endpoints, bridges);
    Comparison comparison = comparePorts(
        ports, {.settings = settings, .platform = platform, .orders = orders});
    if (bridges.empty()) {
        comparison.findings = {nothingSelected(endpoints)};
    } else if (orders.wrongForPlatform()) {
        comparison.findings.push_back(wrongForPlatform());
    }
    return comparison;
}

Result<Comparison> tryAssess(const host::Reader& host,
                             const Scope& scope,
                             const profile::AcsSettings& settings) {
    if (scope.pci != nullptr) {
        return assessOn(host, *scope.pci, settings, scope.platform);
    }
    const inventory::PciTopology pci = TRY(inventory::observePci(host));
    return assessOn(host, pci, settings, scope.platform);
}

}  // namespace

Comparison assess(const host::Reader& host, const Scope& scope) {
    if (!scope.hostWide || !scope.host.acs) {
        return {};
    }
    auto comparison = tryAssess(host, scope, *scope.host.acs);
    return comparison ? std::move(*comparison) : unreadable(comparison.error());
}

}  // namespace fabric::resource::acs
