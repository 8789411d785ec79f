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
#include "report/json.hpp"
#include "resource/acs/endpoint.hpp"
#include "resource/dcb/observe.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
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

// A new file only: an existing profile is somebody's work.
Result<void> writeNewFile(const std::string& path, const std::string& text) {
    // The folder of the default path does not exist before the first profile.
    std::error_code ignored;
    std::filesystem::create_directory(std::filesystem::path(path).parent_path(),
                                      ignored);
    errno = 0;
    std::ofstream file(path, std::ios::out | std::ios::noreplace);
    const bool created = file.is_open();
    file << text;
    file.close();
    if (!file) {
        const int number = errno == 0 ? EIO : errno;
        if (created) {
            // Half a profile would be taken for one, and keep the next attempt out.
            static_cast<void>(std::remove(path.c_str()));
        }
        Error error =
            systemError("write a new profile", escapeForTerminal(path), number);
        error.advice = number == EEXIST
                           ? "choose another name, or remove the file first"
                       : number == EACCES ? "run as root, or choose a place that "
                                            "you may write"
                       : number == ENOENT ? "make its folder first"
                                          : "";
        return fail(std::move(error));
    }
    return {};
}

int printProfile(const std::string& text, const Options& options) {
    if (options.format == Format::json) {
        return printOut(report::toJson(Value(
                            Value::Object{{"schema", "fabricctl/initial-profile/1"},
                                          {"path", options.output},
                                          {"text", text}})),
                        engine::ExitCode::asWanted);
    }
    const std::string path = escapeForTerminal(options.output);
    return printOut(
        path.empty() ? text : path + ": written; next: fabricctl plan " + path + "\n",
        engine::ExitCode::asWanted);
}

}  // namespace

int runProfileInit(const Options& options) {
    const linux_host::Machine machine;
    const auto facts = observeFacts(machine.reader());
    if (!facts) {
        return stopWith("profile init", facts.error(), options);
    }
    const std::string text = profile::initialProfile(*facts);
    if (!options.output.empty()) {
        if (const auto written = writeNewFile(options.output, text); !written) {
            return stopWith("profile init", written.error(), options);
        }
    }
    return printProfile(text, options);
}

}  // namespace fabric::cli
