// SPDX-License-Identifier: Apache-2.0
#include "watch/sample.hpp"

#include "base/text.hpp"
#include "engine/preparation.hpp"
#include "resource/dcb/observe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::watch {

namespace {

// What software devices are called in counterNames(): they have no PCI function.
constexpr std::string_view kSoftware = "rdma_rxe";

// Where DCB acts, pause is counted; a rail without such a port counts by itself.
std::vector<inventory::PhysicalPort> portsOf(const inventory::Rail& rail) {
    if (!rail.ports.empty() || rail.link.none()) {
        return rail.ports;
    }
    return {{.link = rail.link,
             .name = rail.name,
             .pci = rail.pci,
             .driver = rail.driver,
             .firmware = rail.firmware}};
}

Result<std::set<Priority>> losslessOf(const host::Reader& host,
                                      const inventory::Rail& rail) {
    std::set<Priority> all;
    for (const inventory::PhysicalPort& port : rail.ports) {
        const auto state = TRY(resource::dcb::observe(host, port));
        if (!state.pfc) {
            return fail({.kind = ErrorKind::unsupported,
                         .action = "read PFC",
                         .subject = port.name,
                         .sysErrno = 0,
                         .detail = "the driver does not tell it",
                         .advice = {}});
        }
        all.merge(state.pfc->priorities());
    }
    return all;
}

}  // namespace

Result<std::vector<inventory::Rail>> watchedRails(const host::Reader& host,
                                                  const std::string& filter) {
    auto rails = TRY(inventory::observeRails(host));
    if (!filter.empty()) {
        return engine::railsNamed(std::move(rails), filter);
    }
    std::erase_if(rails, [](const inventory::Rail& rail) { return !rail.rdma; });
    return rails;
}

Result<host::Counters> readRdmaCounters(const host::FileReader& files,
                                        const host::RdmaPort& port) {
    const std::string folder =
        fmt::format("/sys/class/infiniband/{}/ports/{}", port.device, port.port);
    host::Counters counters;
    const auto add = [&](const std::string& directory, const std::string& name) {
        const auto text = files.read(folder + directory + name);
        const auto number = text ? parseUnsigned(trimmed(*text)) : std::nullopt;
        if (number) {
            counters.emplace(name, *number);
        }
    };
    for (const std::string& name : TRY(files.list(folder + "/hw_counters"))) {
        add("/hw_counters/", name);
    }
    for (const char* const name : {"port_xmit_data", "port_rcv_data"}) {
        add("/counters/", name);
    }
    return counters;
}

Sample takeSample(const host::Reader& host, const inventory::Rail& rail) {
    Sample sample{.rail = rail.name,
                  .rdma = {},
                  .driver = rail.driver,
                  .layer = rail.rdma ? rail.rdma->linkLayer : host::LinkLayer::ethernet,
                  .at = host.clock.now(),
                  .sources = {},
                  .lossless = {}};
    for (const inventory::PhysicalPort& port : portsOf(rail)) {
        sample.sources.push_back({.place = Place::port,
                                  .name = port.name,
                                  .driver = port.driver,
                                  .counters = host.ethtool.statistics(port.link)});
    }
    if (rail.rdma) {
        sample.rdma = fmt::format("{}/{}", rail.rdma->device, rail.rdma->port);
        sample.sources.push_back(
            {.place = Place::rdma,
             .name = sample.rdma,
             .driver = rail.rdma->pci.empty() ? std::string(kSoftware) : rail.driver,
             .counters = readRdmaCounters(host.files, *rail.rdma)});
    }
    if (sample.layer != host::LinkLayer::infiniband) {
        sample.lossless = losslessOf(host, rail);
    }
    return sample;
}

}  // namespace fabric::watch
