// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "engine/rail_selection.hpp"
#include "inventory/pci_topology.hpp"
#include "inventory/platform.hpp"
#include "inventory/rail.hpp"
#include "linux/machine.hpp"
#include "profile/initial.hpp"
#include "resource/acs/endpoint.hpp"
#include "resource/dcb/observe.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>

namespace fabric::cli {

namespace {

bool hasGpu(const host::Reader& host) {
    const auto pci = inventory::observePci(host);
    if (!pci) {
        return false;
    }
    const auto endpoints = resource::acs::findEndpoints(*pci, {}, {});
    return std::ranges::find(endpoints,
                             resource::acs::EndpointKind::gpu,
                             &resource::acs::Endpoint::kind) != endpoints.end();
}

// The lossless priority and its DSCP when every rail has the same single one.
void addLosslessSeen(const host::Reader& host,
                     const std::vector<inventory::Rail>& rails,
                     profile::InitFacts& facts) {
    std::set<Priority> priorities;
    std::set<Dscp> dscps;
    for (const inventory::Rail& rail : rails) {
        for (const inventory::PhysicalPort& port : rail.ports) {
            const auto state = resource::dcb::observe(host, port);
            if (!state || !state->pfc) {
                continue;
            }
            priorities.merge(state->pfc->priorities());
            for (const auto& [dscp, mapped] : state->dscpEntries()) {
                const bool lossless =
                    std::ranges::any_of(mapped, [&](std::uint8_t priority) {
                        return priorities.contains(Priority::of(priority));
                    });
                if (lossless) {
                    dscps.insert(dscp);
                }
            }
        }
    }
    if (priorities.size() == 1) {
        facts.losslessPriority = *priorities.begin();
        facts.losslessDscp =
            dscps.size() == 1 ? std::optional(*dscps.begin()) : std::nullopt;
    }
}

Result<profile::InitFacts> observeFacts(const host::Reader& host) {
    const auto candidates = TRY(inventory::observeRails(host));
    const auto rails = engine::selectRails({}, candidates).rails;
    profile::InitFacts facts{.hostName = inventory::observePlatform(host).hostName,
                             .hasGpu = hasGpu(host)};
    for (const inventory::Rail& rail : rails) {
        facts.rails.push_back({.interface = rail.name,
                               .rdma = rail.rdma ? rail.rdma->device : "",
                               .driver = rail.driver,
                               .vendor = rail.vendor,
                               .pci = rail.pci ? rail.pci->text() : ""});
    }
    addLosslessSeen(host, rails, facts);
    return facts;
}

int failWith(const Error& error) {
    return finish({.exitCode = 1, .out = {}, .error = "fabricctl: " + error.message()},
                  {});
}

// A new file only: an existing profile is somebody's work.
int writeNewFile(const std::string& path, const std::string& text) {
    errno = 0;
    std::ofstream file(path, std::ios::out | std::ios::noreplace);
    file << text;
    file.close();
    if (!file) {
        Error error = systemError(
            "write a new profile", escapeForTerminal(path), errno == 0 ? EIO : errno);
        error.advice =
            errno == EEXIST ? "choose another name, or remove the file first" : "";
        return failWith(error);
    }
    return printOut(escapeForTerminal(path) + ": written; next: fabricctl plan " +
                        escapeForTerminal(path) + "\n",
                    engine::ExitCode::asWanted);
}

}  // namespace

int runProfileInit(const Options& options) {
    const linux_host::Machine machine;
    const auto facts = observeFacts(machine.reader());
    if (!facts) {
        return failWith(facts.error());
    }
    const std::string text = profile::initialProfile(*facts);
    return options.output.empty() ? printOut(text, engine::ExitCode::asWanted)
                                  : writeNewFile(options.output, text);
}

}  // namespace fabric::cli
