// SPDX-License-Identifier: Apache-2.0
#include "doctor/gather.hpp"

#include "base/text.hpp"
#include "doctor/kernel_log.hpp"
#include "engine/boot.hpp"
#include "engine/rail_selection.hpp"
#include "engine/run.hpp"
#include "inventory/pci_topology.hpp"
#include "resource/acs/endpoint.hpp"
#include "resource/module/boot_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

namespace fabric::doctor {

namespace {

namespace acs = resource::acs;
namespace kernel_module = resource::kernel_module;

// The kernel's part of an RDMA stack, the adapters' drivers, and what GPUs add.
const std::vector<std::string> kModules{"ib_core",
                                        "ib_uverbs",
                                        "rdma_cm",
                                        "rdma_ucm",
                                        "mlx5_core",
                                        "mlx5_ib",
                                        "bnxt_en",
                                        "bnxt_re",
                                        "ice",
                                        "irdma",
                                        "nvidia",
                                        "nvidia_peermem",
                                        "nv_peer_mem"};

constexpr std::array<std::string_view, 4> kBootDirectories{
    "/etc/modules-load.d",
    "/run/modules-load.d",
    "/usr/local/lib/modules-load.d",
    "/usr/lib/modules-load.d"};

constexpr std::array<std::string_view, 3> kBootUnits{
    engine::kBootUnit, "fabricctl-early.service", "disable-pcie-acs.service"};

Error nobodyToAsk(std::string_view what) {
    return {.kind = ErrorKind::unsupported,
            .action = "ask",
            .subject = std::string(what),
            .sysErrno = 0,
            .detail = "there is none here",
            .advice = {}};
}

void noteIommu(const host::FileReader& files,
               const std::vector<acs::Endpoint>& endpoints,
               PciEvidence& seen) {
    for (const acs::Endpoint& endpoint : endpoints) {
        const auto group = endpoint.function->iommuGroup;
        if (!group) {
            continue;
        }
        seen.iommu = true;
        const auto type =
            files.read(fmt::format("/sys/kernel/iommu_groups/{}/type", *group));
        if (type && trimmed(*type).starts_with("DMA")) {
            seen.translating = trimmed(*type);
        }
    }
}

PciEvidence gatherPci(const host::Reader& host) {
    PciEvidence seen;
    const auto pci = inventory::observePci(host);
    const auto rdma = acs::rdmaFunctions(host);
    if (!pci || !rdma) {
        seen.paths = fail(pci ? rdma.error() : pci.error());
        return seen;
    }
    const auto endpoints = acs::findEndpoints(*pci, *rdma, {});
    seen.gpus = static_cast<std::size_t>(
        std::ranges::count(endpoints, acs::EndpointKind::gpu, &acs::Endpoint::kind));
    seen.paths = acs::gpuNicPaths(host.pci, *pci, endpoints);
    noteIommu(host.files, endpoints, seen);
    seen.nvidiaDriver = host.files.read("/proc/driver/nvidia/version");
    return seen;
}

void gatherModules(const host::Reader& host, Evidence& evidence) {
    const profile::HostSettings nothing;
    evidence.modules = kernel_module::observe(
        host, {.rails = {}, .host = nothing, .platform = evidence.platform}, kModules);
    for (const std::string_view directory : kBootDirectories) {
        const auto names = host.files.list(directory);
        for (const std::string& name : names.value_or(std::vector<std::string>{})) {
            const auto text = host.files.read(fmt::format("{}/{}", directory, name));
            for (const std::string& module :
                 kernel_module::parseBootList(text.value_or(""))) {
                evidence.bootModules.push_back(module);
            }
        }
    }
    evidence.rdmaCoreLoads =
        host.files.status("/etc/rdma/modules/rdma.conf").has_value();
}

Result<std::vector<DeviceNode>> gatherDeviceNodes(const host::FileReader& files) {
    const std::string directory = "/dev/infiniband";
    std::vector<DeviceNode> nodes;
    for (const std::string& name : TRY(files.list(directory))) {
        if (name.starts_with("uverbs") || name == "rdma_cm") {
            nodes.push_back(
                {.name = name, .status = TRY(files.status(directory + "/" + name))});
        }
    }
    return nodes;
}

// "MemAvailable:   12 kB" (fs/proc/meminfo.c); HugePages_* are counts.
std::uint64_t meminfoNumber(std::string_view text, std::string_view name) {
    for (const std::string_view line : split(text, '\n')) {
        if (line.starts_with(name)) {
            const std::string_view rest = trimmed(line.substr(name.size()));
            return parseUnsigned(rest.substr(0, rest.find(' '))).value_or(0);
        }
    }
    return 0;
}

Result<MemoryEvidence> gatherMemory(const host::FileReader& files) {
    constexpr std::uint64_t kKibibyte = 1024;
    const std::string text = TRY(files.read("/proc/meminfo"));
    return MemoryEvidence{
        .availableBytes = meminfoNumber(text, "MemAvailable:") * kKibibyte,
        .hugePages = meminfoNumber(text, "HugePages_Total:"),
        .freeHugePages = meminfoNumber(text, "HugePages_Free:")};
}

// One line per processor in hexadecimal below a line of names (net/core/neighbour.c,
// neigh_stat_seq_show).
std::uint64_t tableFulls(std::string_view text) {
    const auto lines = split(text, '\n');
    const auto columns = [](std::string_view line) {
        auto words = split(line, ' ');
        std::erase_if(words, [](std::string_view word) { return word.empty(); });
        return words;
    };
    const auto names = columns(lines.front());
    const auto at = static_cast<std::size_t>(std::ranges::find(names, "table_fulls") -
                                             names.begin());
    std::uint64_t sum = 0;
    for (const std::string_view line : lines | std::views::drop(1)) {
        const auto words = columns(line);
        sum += at < words.size() ? parseUnsigned(words[at], 16).value_or(0) : 0;
    }
    return sum;
}

Result<NeighbourTable> gatherNeighbourTable(const host::FileReader& files) {
    const std::string limit =
        TRY(files.read("/proc/sys/net/ipv4/neigh/default/gc_thresh3"));
    const std::string counts = TRY(files.read("/proc/net/stat/arp_cache"));
    return NeighbourTable{.limit = parseUnsigned(trimmed(limit)).value_or(0),
                          .fulls = tableFulls(counts)};
}

Result<RoutingEvidence> gatherRouting(const host::RoutingReader& routing) {
    RoutingEvidence seen;
    seen.routes = TRY(routing.routes());
    seen.rules = TRY(routing.rules());
    return seen;
}

Result<std::string> word(const host::FileReader& files, std::string_view path) {
    return std::string(trimmed(TRY(files.read(path))));
}

// With one node every processor is near.
void gatherInterruptsOf(const host::FileReader& files, Evidence& evidence) {
    if (!evidence.numaNodes ||
        evidence.numaNodes->find_first_of(",-") == std::string::npos) {
        return;
    }
    for (RailEvidence& rail : evidence.rails) {
        if (rail.rail.pci && rail.rail.numaNode && *rail.rail.numaNode >= 0) {
            rail.interrupts = gatherInterrupts(
                files, *rail.rail.pci, static_cast<unsigned>(*rail.rail.numaNode));
        }
    }
}

void gatherBoot(const host::Reader& host, Evidence& evidence) {
    const auto noManager = fail(nobodyToAsk("the service manager"));
    for (const std::string_view unit : kBootUnits) {
        evidence.bootUnits.emplace(unit,
                                   host.services != nullptr
                                       ? host.services->unit(unit)
                                       : Result<host::ServiceUnit>(noManager));
    }
    evidence.systemState = host.services != nullptr ? host.services->systemState()
                                                    : Result<std::string>(noManager);
    evidence.managerProblems =
        host.journal != nullptr
            ? host.journal->managerProblems()
            : Result<std::vector<host::JournalEntry>>(fail(nobodyToAsk("a journal")));
}

}  // namespace

std::vector<inventory::Rail> judgedRails(const std::vector<inventory::Rail>& candidates,
                                         const profile::Profile* profile) {
    const profile::RailSelection everyRail;
    auto rails = engine::selectRails(profile != nullptr ? profile->rails() : everyRail,
                                     candidates)
                     .rails;
    for (const inventory::Rail& rail : candidates) {
        const bool known =
            std::ranges::find(rails, rail.name, &inventory::Rail::name) != rails.end();
        if (!known && rail.rdma &&
            rail.rdma->linkLayer == host::LinkLayer::infiniband) {
            rails.push_back(rail);
        }
    }
    return rails;
}

Evidence gather(const host::Reader& host, const profile::Profile* profile) {
    Evidence evidence;
    evidence.platform = inventory::observePlatform(host);
    evidence.rdmaPorts = host.rdma.ports();
    evidence.links = host.links.links();
    const auto candidates = inventory::observeRails(host);
    if (candidates) {
        evidence.rails = gatherRails(host, judgedRails(*candidates, profile));
    } else {
        evidence.railsError = candidates.error();
    }
    evidence.server = gatherServer(host, profile);
    evidence.pci = gatherPci(host);
    gatherModules(host, evidence);
    evidence.deviceNodes = gatherDeviceNodes(host.files);
    evidence.arp = resource::arp::observe(host);
    evidence.sysctls = resource::arp::readSysctlFiles(host.files);
    evidence.neighbours = host.neighbours != nullptr
                              ? host.neighbours->neighbours()
                              : Result<std::vector<host::Neighbour>>(
                                    fail(nobodyToAsk("the neighbour cache")));
    evidence.neighbourTable = gatherNeighbourTable(host.files);
    if (host.routing != nullptr) {
        evidence.routing = gatherRouting(*host.routing);
    }
    evidence.memory = gatherMemory(host.files);
    evidence.transparentHugePages =
        word(host.files, "/sys/kernel/mm/transparent_hugepage/enabled");
    evidence.numaNodes = word(host.files, "/sys/devices/system/node/online");
    gatherBoot(host, evidence);
    gatherInterruptsOf(host.files, evidence);
    const auto& unit = evidence.server.state;
    evidence.otherServers =
        gatherOtherServers(host.files, unit ? unit->unit.mainPid : 0);
    if (host.journal != nullptr) {
        evidence.kernelLog = readKernelLog(*host.journal);
    }
    if (profile != nullptr) {
        evidence.check = engine::check(host, *profile, {});
    }
    return evidence;
}

void lookAgain(const host::Reader& host,
               std::chrono::milliseconds interval,
               Evidence& evidence) {
    for (RailEvidence& rail : evidence.rails) {
        rail.second = watch::takeSample(host, rail.rail);
    }
    evidence.laterNeighbourTable = gatherNeighbourTable(host.files);
    evidence.interval = interval;
}

EarlierLook lookEarlier(const host::Reader& earlier, std::string taken) {
    EarlierLook look{.taken = std::move(taken), .ports = {}};
    const auto ports = earlier.rdma.ports();
    for (const host::RdmaPort& port : ports.value_or(std::vector<host::RdmaPort>{})) {
        look.ports.push_back({.device = port.device,
                              .port = port.port,
                              .gids = inventory::readGids(earlier.files, port)});
    }
    return look;
}

}  // namespace fabric::doctor
