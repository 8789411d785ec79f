// SPDX-License-Identifier: Apache-2.0
// What the storage server wrote since it was started.
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/rules.hpp"
#include "doctor/server_log.hpp"
#include "doctor/server_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace fabric::doctor {

namespace {

constexpr std::string_view kSwitch = "MINIO_RDMA_INTERNODE";
// What a start may take.
constexpr std::chrono::seconds kStart{60};

// Why its lines say nothing; empty: they were searched.
std::optional<Judgement> withoutLog(const Evidence& evidence) {
    if (!evidence.serverLog) {
        return inconclusive("facts of a host carry no lines of the service");
    }
    if (*evidence.serverLog) {
        return std::nullopt;
    }
    const Error& error = evidence.serverLog->error();
    return error.kind == ErrorKind::notFound
               ? inconclusive("there is no journal to search: " + error.message())
               : unreadable(error);
}

const host::ServiceLines& logOf(const Evidence& evidence) {
    return **evidence.serverLog;
}

bool carriesInternode(const Evidence& evidence) {
    if (!evidence.metrics || !evidence.metrics->first.internode) {
        return false;
    }
    return std::ranges::any_of(
        numbersOf(*evidence.metrics->first.internode, nullptr),
        [](const ServerNumber& number) { return number.value > 0; });
}

// Of a server with inter-node RDMA: what says that it wrote such a line when it
// started, or did not.
Judgement judgeStartLine(const Evidence& evidence, std::string_view line) {
    const auto& process = processOf(evidence);
    const Value expected = "a line: " + std::string(line);
    const bool settled = stateOf(evidence).active >= kStart;
    const auto without = withoutLog(evidence);
    if (!without) {
        if (const auto found = linesWith(logOf(evidence), line); !found.empty()) {
            return passed(expected, found.back());
        }
    }
    if (process.pinnedBytes == 0U && settled) {
        return (without ? warned : failed)(
            expected,
            "0 bytes registered (VmPin)",
            "inter-node RDMA did not come up: a minute after the start the process "
            "has registered no memory");
    }
    if (without) {
        return *without;
    }
    if (!logOf(evidence).gap.empty()) {
        return inconclusive(logOf(evidence).gap);
    }
    return settled ? failed(expected,
                            "none since the server was started",
                            "inter-node RDMA did not come up: a minute after the start "
                            "the server has not said that it did")
                   : inconclusive("the server was started less than a minute ago");
}

// Why nothing is to be expected of inter-node RDMA; empty: it is switched on.
std::optional<Judgement> withoutInternode(const Evidence& evidence) {
    if (auto without = withoutProcess(evidence)) {
        return without;
    }
    const auto& environment = processOf(evidence).environment;
    const auto running = environment.find(std::string(kSwitch));
    return running == environment.end() || running->second != "on"
               ? std::optional(
                     notApplicable("inter-node RDMA is not switched on in the process"))
               : std::nullopt;
}

Judgement judgeInternode(const Evidence& evidence) {
    if (auto without = withoutInternode(evidence)) {
        return *without;
    }
    if (carriesInternode(evidence)) {
        return passed("inter-node RDMA in use", "the server's metrics count it");
    }
    return judgeStartLine(evidence, kInternodeLine);
}

Judgement judgePool(const Evidence& evidence) {
    if (auto without = withoutInternode(evidence)) {
        return *without;
    }
    return judgeStartLine(evidence, kPoolLine);
}

// Of what the server only writes when something went wrong. `worse` makes the verdict
// of the lines that were found.
template <typename Worse>
Judgement judgeComplaint(const Evidence& evidence, std::string_view part, Worse worse) {
    if (auto without = withoutProcess(evidence)) {
        return *without;
    }
    if (auto without = withoutLog(evidence)) {
        return *without;
    }
    const auto found = linesWith(logOf(evidence), part);
    if (!found.empty()) {
        return worse(found);
    }
    return logOf(evidence).gap.empty()
               ? passed("no such line", "none since the server was started")
               : inconclusive(logOf(evidence).gap);
}

Judgement judgeGpuDirect(const Evidence& evidence) {
    return judgeComplaint(
        evidence, kDirectLine, [](const std::vector<std::string>& found) {
            return failed("no such line",
                          found.back(),
                          "the server declines every request for S3 over RDMA");
        });
}

Judgement judgeRegistration(const Evidence& evidence) {
    return judgeComplaint(
        evidence, kPerWriteLine, [&](const std::vector<std::string>& found) {
            const auto limit = processOf(evidence).memlock.soft;
            const Value expected = "no such line";
            return limit == host::kNoLimit
                       ? warned(expected,
                                found.back(),
                                "the server registers memory for every write; locked "
                                "memory is not limited, so see what the line says")
                       : failed(expected,
                                found.back(),
                                fmt::format("the server registers memory for every "
                                            "write, and may lock {} at most",
                                            bytesText(limit)));
        });
}

Judgement judgeRetries(const Evidence& evidence) {
    return judgeComplaint(
        evidence, kRetryLine, [](const std::vector<std::string>& found) {
            return warned("no such line",
                          found.back(),
                          fmt::format("transfers got no answer, told by {} lines: work "
                                      "through fabricctl doctor retry-exc",
                                      found.size()));
        });
}

Judgement judgeRemote(const Evidence& evidence) {
    const auto worse = [](const std::vector<std::string>& found) {
        return warned(
            "no such line",
            found.back(),
            fmt::format("transfers failed at the other end, told by {} lines: "
                        "work through fabricctl doctor status-11",
                        found.size()));
    };
    Judgement byName = judgeComplaint(evidence, kRemoteLine, worse);
    return byName.verdict == Verdict::warn
               ? byName
               : judgeComplaint(evidence, kRemoteCode, worse);
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "log.internode",
     .worst = Verdict::fail,
     .cause = "inter-node RDMA did not come up at the start",
     .source = "Troubleshoot RDMA: RDMA never activates",
     .look = "journalctl -u {unit} | grep -i rdma",
     .fix = "follow what the other rules name",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeInternode},
    {.id = "log.gpudirect",
     .worst = Verdict::fail,
     .cause = "the GPU-Direct path of the server did not come up",
     .source = "Troubleshoot RDMA: RDMA never activates",
     .look = "journalctl -u {unit} | grep 'GPU-Direct S3 server disabled'",
     .fix = "follow what the rules on memory and devices name",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeGpuDirect},
    {.id = "log.pool",
     .worst = Verdict::fail,
     .cause = "the receive pool of inter-node RDMA never got ready",
     .source = "Troubleshoot RDMA: locked memory",
     .look = "journalctl -u {unit} | grep 'inbound receive pool ready'",
     .fix = "see mem.limit, mem.headroom and dev.access",
     .action = "{apply} --only service",
     .restart = Restart::thisNode,
     .judge = judgePool},
    {.id = "reg.per_write",
     .worst = Verdict::fail,
     .cause = "sender buffers could not be registered beforehand",
     .source = "Troubleshoot RDMA: sender buffer registration",
     .look = "journalctl -u {unit} | grep 'falling back to per-write reg'",
     .fix = "see mem.limit and mem.headroom",
     .action = "{apply} --only service",
     .restart = Restart::thisNode,
     .judge = judgeRegistration},
    {.id = "log.retry_exc",
     .worst = Verdict::warn,
     .cause = "transfers between servers get no answer",
     .source = "Troubleshoot RDMA: multi-rail host",
     .look = "journalctl -u {unit} | grep IBV_WC_RETRY_EXC_ERR",
     .fix = "follow what the rules on losses, ARP and neighbours name",
     .action = {},
     .restart = Restart::allNodes,
     .judge = judgeRetries},
    {.id = "log.status_11",
     .worst = Verdict::warn,
     .cause = "transfers into GPU memory fail at the other end",
     .source = "Troubleshoot RDMA: remote operation error",
     .look = "journalctl -u {unit} | grep -E 'IBV_WC_REM_OP_ERR|code: 11'",
     .fix = "follow what the rules on ACS name",
     .action = {},
     .restart = Restart::none,
     .judge = judgeRemote},
});

}  // namespace

std::span<const Rule> serverLogRules() {
    return kRules;
}

}  // namespace fabric::doctor
