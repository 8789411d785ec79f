// SPDX-License-Identifier: Apache-2.0
// Memory that is locked for RDMA, and what is allocated from it.
#include "doctor/rail_view.hpp"
#include "doctor/rules.hpp"
#include "doctor/server_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fabric::doctor {

namespace {

// PAM reads it at logins; a service never goes through PAM.
std::string aboutLogins(const resource::service::State& state) {
    return state.loginLimits.empty()
               ? ""
               : fmt::format("; the memlock lines in {} have no effect on a service",
                             fmt::join(state.loginLimits, ", "));
}

Judgement judgeLimit(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    const auto& state = stateOf(evidence);
    if (state.unit.loadState != "loaded") {
        return inconclusive("the unit is not loaded: " + state.unit.loadState);
    }
    const std::uint64_t soft = state.unit.limitMemlock.soft;
    const std::uint64_t need = neededMemory(evidence);
    if (soft == host::kNoLimit) {
        return passed("infinity", "infinity");
    }
    return soft < need
               ? failed("at least " + bytesText(need),
                        bytesText(soft),
                        "the service may lock less memory than it registers" +
                            aboutLogins(state))
               : warned("infinity",
                        bytesText(soft),
                        "a finite limit is met sooner or later" + aboutLogins(state));
}

Judgement judgeProcessLimit(const Evidence& evidence) {
    if (auto without = withoutProcess(evidence)) {
        return *without;
    }
    const std::uint64_t unit = stateOf(evidence).unit.limitMemlock.soft;
    const std::uint64_t process = processOf(evidence).memlock.soft;
    return process < unit ? failed(bytesText(unit),
                                   bytesText(process),
                                   "the running process keeps the limit that it was "
                                   "started with")
                          : passed(bytesText(unit), bytesText(process));
}

Judgement judgeHeadroom(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    const std::uint64_t need = neededMemory(evidence);
    const auto& most = evidence.server.memoryMax;
    if (most && most->bytes < need) {
        return failed(
            "at least " + bytesText(need),
            bytesText(most->bytes),
            "the control group " + most->group + " may not have that much memory");
    }
    if (!evidence.memory) {
        return unreadable(evidence.memory.error());
    }
    const auto& process = stateOf(evidence).process;
    const std::uint64_t pinned =
        process && *process ? (*process)->pinnedBytes.value_or(0) : 0;
    const std::uint64_t missing = need > pinned ? need - pinned : 0;
    constexpr std::uint64_t kTenth = 10;
    const std::uint64_t wanted = missing + missing / kTenth;
    const std::uint64_t available = evidence.memory->availableBytes;
    return available < wanted
               ? warned(fmt::format("{} more to register", bytesText(missing)),
                        bytesText(available) + " available",
                        "registering it may fail for want of memory")
               : passed(bytesText(missing), bytesText(available));
}

using resource::service::UnitFile;

// The unit's files in the order in which they apply.
std::vector<UnitFile> filesOf(const resource::service::State& state) {
    std::vector<UnitFile> files = state.below;
    files.insert(files.end(), state.above.begin(), state.above.end());
    return files;
}

bool isYes(std::string_view value) {
    return value == "yes" || value == "true" || value == "on" || value == "1";
}

bool allowsRdma(const std::vector<UnitFile>& files) {
    bool allowed = false;
    for (const UnitFile& file : files) {
        for (const auto& setting : file.settings) {
            const std::string_view device =
                std::string_view(setting.value)
                    .substr(0, setting.value.find_first_of(" \t"));
            if (setting.key == "DeviceAllow") {
                // An empty one empties the list.
                allowed = !device.empty() &&
                          (allowed || device.starts_with("/dev/infiniband") ||
                           device.starts_with("char-infiniband") || device == "char-*");
            }
        }
    }
    return allowed;
}

// What of the unit keeps devices from it (systemd.resource-control(5),
// systemd.exec(5)); "" nothing.
std::string deviceObstacle(const resource::service::State& state) {
    using resource::service::lastSetter;
    using resource::service::lastValue;
    const auto files = filesOf(state);
    if (isYes(lastValue(files, "PrivateDevices"))) {
        return "PrivateDevices=yes in " + lastSetter(files, "PrivateDevices");
    }
    const std::string policy = lastValue(files, "DevicePolicy");
    const bool listed = !lastValue(files, "DeviceAllow").empty();
    const bool closed = policy == "closed" || policy == "strict" || listed;
    return closed && !allowsRdma(files)
               ? fmt::format(
                     "DevicePolicy={} without DeviceAllow=char-infiniband_* in {}",
                     policy.empty() ? "auto" : policy,
                     lastSetter(files, listed ? "DeviceAllow" : "DevicePolicy"))
               : std::string();
}

Judgement judgeNode(const Evidence& evidence, const DeviceNode& node) {
    constexpr mode_t kForEverybody = 0006;
    constexpr mode_t kForGroup = 0060;
    const std::string& user = stateOf(evidence).unit.user;
    const std::string mode = fmt::format("{:04o}", node.status.mode);
    const Value expected = "0666";
    if (user.empty() || user == "root" ||
        (node.status.mode & kForEverybody) == kForEverybody) {
        return passed(expected, mode);
    }
    const Judgement refused =
        failed(expected, mode, user + " may not open the RDMA device");
    if ((node.status.mode & kForGroup) != kForGroup || node.status.group == 0) {
        return refused;
    }
    const auto& process = evidence.server.status;
    if (!process || !*process) {
        return inconclusive("whether " + user +
                            " is in the group of the device is told by a running "
                            "process only");
    }
    const auto& groups = (*process)->groups;
    return std::ranges::find(groups, node.status.group) != groups.end()
               ? passed(expected, mode)
               : refused;
}

Judgement judgeAccess(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    if (!evidence.deviceNodes) {
        return evidence.deviceNodes.error().kind == ErrorKind::notFound
                   ? failed("/dev/infiniband/uverbs*",
                            "no such directory",
                            "there is no device to open")
                   : unreadable(evidence.deviceNodes.error());
    }
    if (const std::string obstacle = deviceObstacle(stateOf(evidence));
        !obstacle.empty()) {
        return failed("access to /dev/infiniband/uverbs*",
                      obstacle,
                      "the unit keeps RDMA devices from the server");
    }
    Judged nodes;
    for (const DeviceNode& node : *evidence.deviceNodes) {
        nodes.add(node.name, judgeNode(evidence, node));
    }
    return nodes.worst("there is no device node of RDMA");
}

Judgement judgeQueue(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    constexpr std::uint64_t kDefault = 32767;
    const std::uint64_t asked =
        numberOf(evidence, "MINIO_RDMA_INTERNODE_SRQ_SIZE").value_or(kDefault);
    return worstRail(
        evidence, "there is no RDMA device", [&](const RailEvidence& rail) {
            if (!rail.attributes) {
                return unreadable(rail.attributes.error());
            }
            const Value expected = fmt::format("at least {}", asked);
            const std::uint32_t most = rail.attributes->maxSrqWorkRequests;
            return most < asked
                       ? failed(expected,
                                std::int64_t{most},
                                fmt::format("the server asks for {} receive slots, "
                                            "{} offers {}",
                                            asked,
                                            rail.rail.rdma->device,
                                            most))
                       : passed(expected, std::int64_t{most});
        });
}

Judgement judgeHugePages(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    if (!evidence.transparentHugePages) {
        const Error& error = evidence.transparentHugePages.error();
        return error.kind == ErrorKind::notFound
                   ? notApplicable("this kernel has no transparent huge pages")
                   : unreadable(error);
    }
    const std::string& mode = *evidence.transparentHugePages;
    return mode.contains("[always]")
               ? warned("madvise", "always", "the server's checklist asks for madvise")
               : passed("madvise", mode);
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "mem.limit",
     .worst = Verdict::fail,
     .cause = "the service may not lock the memory that RDMA registers",
     .source = "Troubleshoot RDMA: locked memory",
     .look = "systemctl show {unit} --property=LimitMEMLOCK,LimitMEMLOCKSoft",
     .fix = "LimitMEMLOCK=infinity in the drop-in; limits.conf has no effect",
     .action = "{apply} --only service",
     .restart = Restart::thisNode,
     .judge = judgeLimit},
    {.id = "mem.limit_proc",
     .worst = Verdict::fail,
     .cause = "the running process has an older, lower limit than its unit",
     .source = "experience",
     .look = "grep 'Max locked' /proc/$(systemctl show {unit} --property=MainPID "
             "--value)/limits",
     .fix = "systemctl restart {unit}",
     .action = "{apply} (with service.restart: if-needed)",
     .restart = Restart::thisNode,
     .judge = judgeProcessLimit},
    {.id = "dev.access",
     .worst = Verdict::fail,
     .cause = "the service's account may not open the RDMA devices",
     .source = "Troubleshoot RDMA: locked memory",
     .look = "ls -la /dev/infiniband/; systemctl show {unit} "
             "--property=DevicePolicy,DeviceAllow,PrivateDevices",
     .fix = "let udev create them with mode 0666, as rdma-core does; allow "
            "char-infiniband_* in the unit",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeAccess,
     .unobserved = "the groups of an account of which no process runs"},
    {.id = "mem.headroom",
     .worst = Verdict::fail,
     .cause = "there is not enough memory to register",
     .source = "Troubleshoot RDMA: sender buffer registration",
     .look = "grep MemAvailable /proc/meminfo; cat "
             "/sys/fs/cgroup/system.slice/memory.max "
             "{cgroup}/memory.max",
     .fix = "raise MemoryMax=, or lower MINIO_RDMA_POOL_COUNT",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeHeadroom},
    {.id = "srq.size",
     .worst = Verdict::fail,
     .cause = "the server asks for a larger receive queue than the adapter has",
     .source = "Troubleshoot RDMA: shared receive queue",
     .look = "ibv_devinfo -v | grep max_srq_wr",
     .fix = "lower MINIO_RDMA_INTERNODE_SRQ_SIZE to at most max_srq_wr",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeQueue},
    {.id = "hugepages",
     .worst = Verdict::warn,
     .cause = "transparent huge pages are always on",
     .source = "experience",
     .look = "cat /sys/kernel/mm/transparent_hugepage/enabled",
     .fix = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled, and at boot",
     .action = {},
     .restart = Restart::none,
     .judge = judgeHugePages,
     .unobserved = "which programs are configured for huge pages"},
});

}  // namespace

std::span<const Rule> memoryRules() {
    return kRules;
}

}  // namespace fabric::doctor
