// SPDX-License-Identifier: Apache-2.0
// Servers that no unit of this host limits.
#include "doctor/judgement.hpp"
#include "doctor/rules.hpp"
#include "doctor/server_view.hpp"

#include <fmt/format.h>

#include <array>

namespace fabric::doctor {

namespace {

constexpr unsigned kIpcLock = 14;  // CAP_IPC_LOCK (linux/capability.h)

// The kernel asks for the capability in the first user namespace
// (drivers/infiniband/core/umem.c): one that a container has in its own is inert.
bool locksFreely(const ProcessStatus& status) {
    return ((status.capabilities >> kIpcLock) & 1U) != 0 && status.initialUserNamespace;
}

Judgement judgeOther(const OtherServer& server, std::uint64_t need) {
    if (!server.status || !server.memlock) {
        return unreadable(server.status ? server.memlock.error()
                                        : server.status.error());
    }
    const Value expected = "infinity, or CAP_IPC_LOCK that counts";
    const std::uint64_t soft = server.memlock->soft;
    if (soft == host::kNoLimit || locksFreely(*server.status)) {
        return passed(expected, soft == host::kNoLimit ? "infinity" : "CAP_IPC_LOCK");
    }
    const std::string where =
        server.status->ownProcessNumbers ? "in a container" : "started by no unit";
    const std::string what = fmt::format("{} (process {}), {}, may lock {}",
                                         server.name,
                                         server.pid,
                                         where,
                                         bytesText(soft));
    return soft < need ? failed(expected, bytesText(soft), what)
                       : warned(expected, bytesText(soft), what + " at most");
}

Judgement judgeContainer(const Evidence& evidence) {
    if (!evidence.otherServers) {
        return unreadable(evidence.otherServers.error());
    }
    const std::uint64_t need =
        evidence.server.state ? neededMemory(evidence) : kNeededByDefault;
    Judged servers;
    for (const OtherServer& server : *evidence.otherServers) {
        servers.add(nameOfProcess(server), judgeOther(server, need));
    }
    return servers.worst("no server runs here but that of " + evidence.server.unit);
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "memlock.container",
     .worst = Verdict::fail,
     .cause = "a container runtime caps locked memory",
     .source = "experience",
     .look = "grep -E 'CapEff|NSpid' /proc/{pid}/status; grep 'Max locked' "
             "/proc/{pid}/limits; cat /proc/{pid}/uid_map",
     .fix = "raise the runtime's limit, or give the process CAP_IPC_LOCK effectively",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeContainer},
});

}  // namespace

std::span<const Rule> containerRules() {
    return kRules;
}

}  // namespace fabric::doctor
