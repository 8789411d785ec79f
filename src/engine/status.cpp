// SPDX-License-Identifier: Apache-2.0
#include "engine/status.hpp"

#include "engine/preparation.hpp"
#include "inventory/pci_topology.hpp"
#include "resource/acs/endpoint.hpp"
#include "resource/dcb/observe.hpp"
#include "resource/ecn/ecn.hpp"
#include "resource/pause/pause.hpp"

#include <algorithm>
#include <utility>

namespace fabric::engine {

namespace {

using inventory::Rail;

bool isEthernet(const Rail& rail) {
    return !rail.rdma || rail.rdma->linkLayer == host::LinkLayer::ethernet;
}

LosslessVerdict worstOf(const std::vector<PortStatus>& ports) {
    LosslessVerdict worst =
        ports.empty() ? LosslessVerdict::notApplicable : LosslessVerdict::lossless;
    for (const PortStatus& port : ports) {
        const LosslessVerdict verdict = losslessVerdict(port.parts);
        if (verdict == LosslessVerdict::lossy || worst == LosslessVerdict::lossless) {
            worst = verdict;
        }
    }
    return worst;
}

RailStatus observeRail(const host::Reader& host, const Rail& rail) {
    RailStatus status{.rail = rail};
    if (isEthernet(rail)) {
        for (const inventory::PhysicalPort& port : rail.ports) {
            status.ports.push_back(
                {.name = port.name,
                 .parts = losslessParts(observePort(host, rail, port))});
        }
    }
    status.verdict = worstOf(status.ports);
    if (rail.rdma) {
        auto attributes = host.rdma.attributes(*rail.rdma);
        if (attributes) {
            status.attributes = *attributes;
        } else {
            status.attributesError = attributes.error().message();
        }
    }
    return status;
}

void observePaths(const host::Reader& host, Status& status) {
    const auto pci = inventory::observePci(host);
    if (!pci) {
        status.problems.push_back(pci.error().message());
        return;
    }
    const auto functions = resource::acs::rdmaFunctions(host);
    if (!functions) {
        status.problems.push_back(functions.error().message());
        return;
    }
    const auto endpoints = resource::acs::findEndpoints(*pci, *functions, {});
    status.gpus = static_cast<std::size_t>(std::ranges::count(
        endpoints, resource::acs::EndpointKind::gpu, &resource::acs::Endpoint::kind));
    status.paths = resource::acs::gpuNicPaths(host.pci, *pci, endpoints);
}

}  // namespace

PortObservation observePort(const host::Reader& host,
                            const Rail& rail,
                            const inventory::PhysicalPort& port) {
    const auto link = host.links.link(port.link);
    PortObservation seen{.port = port,
                         .dcb = resource::dcb::observe(host, port),
                         .ecn = resource::ecn::observe(host, port, rail.rdma),
                         .pause = resource::pause::observe(host, port),
                         .rdmaCm = std::nullopt,
                         .mtu = link ? link->mtu : 0};
    if (rail.rdma) {
        seen.rdmaCm = resource::rdma_cm::observe(host, *rail.rdma);
    }
    return seen;
}

bool WireAnswers::complete() const {
    const bool domainsTold =
        !domains ||
        (*domains && std::ranges::none_of(**domains, [](const InterfaceSharing& one) {
            return one.sharing == Sharing::couldNotTell;
        }));
    const bool auditTold =
        !audit || (*audit && std::ranges::none_of((*audit)->answers,
                                                  [](const AuditAnswer& answer) {
                                                      return answer.error.has_value();
                                                  }));
    return domainsTold && auditTold;
}

ExitCode Status::exitCode() const {
    if (stopped) {
        return ExitCode::couldNotRun;
    }
    const bool unknownRail = std::ranges::any_of(rails, [](const RailStatus& rail) {
        return rail.verdict == LosslessVerdict::unknown;
    });
    const bool unknownBridge =
        std::ranges::any_of(paths, [](const resource::acs::GpuNicPath& path) {
            return std::ranges::any_of(path.between,
                                       [](const resource::acs::PathBridge& bridge) {
                                           return !bridge.redirects().has_value();
                                       });
        });
    const bool told = !unknownRail && !unknownBridge && problems.empty();
    return told && wire.complete() ? ExitCode::asWanted : ExitCode::unverifiable;
}

Status observeStatus(const host::Reader& host, const std::string& filter) {
    Status status{.platform = inventory::observePlatform(host)};
    auto candidates = inventory::observeRails(host);
    if (!candidates) {
        status.stopped = std::move(candidates.error());
        return status;
    }
    if (filter.empty()) {
        std::erase_if(*candidates, [](const Rail& rail) { return !rail.rdma; });
    }
    const auto rails = railsNamed(std::move(*candidates), filter);
    if (!rails) {
        status.stopped = rails.error();
        return status;
    }
    for (const Rail& rail : *rails) {
        status.rails.push_back(observeRail(host, rail));
    }
    if (filter.empty()) {
        observePaths(host, status);
    }
    return status;
}

}  // namespace fabric::engine
