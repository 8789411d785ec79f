// SPDX-License-Identifier: Apache-2.0
// What the kernel wrote of RDMA since it was booted.
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/kernel_log.hpp"
#include "doctor/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fabric::doctor {

namespace {

Judgement judgeLine(const Evidence& evidence,
                    bool (*isMeant)(std::string_view),
                    const Value& expected,
                    const std::string& reason) {
    if (!evidence.kernelLog) {
        return inconclusive("facts carry no log of the kernel");
    }
    if (!*evidence.kernelLog) {
        const Error& error = evidence.kernelLog->error();
        return error.kind == ErrorKind::permission
                   ? unreadable(error)
                   : inconclusive("there is no journal to search: " + error.message());
    }
    const host::JournalLines& log = **evidence.kernelLog;
    // The newest one is what still counts.
    for (auto line = log.lines.rbegin(); line != log.lines.rend(); ++line) {
        if (isMeant(line->message)) {
            return failed(expected, line->message, reason);
        }
    }
    return log.cut ? inconclusive("the log of this boot was not searched to its begin")
                   : passed(expected, "none");
}

// A control group that has all the objects it may have is refused without a line.
const RdmaMax* fullGroup(const Evidence& evidence) {
    const auto& limits = evidence.server.rdmaLimits;
    const auto full = std::ranges::find_if(
        limits, [](const RdmaMax& one) { return one.current >= one.most; });
    return full == limits.end() ? nullptr : &*full;
}

Judgement judgeQueuePairs(const Evidence& evidence) {
    if (const RdmaMax* const full = fullGroup(evidence)) {
        return failed(
            fmt::format("more than {} of {}", full->current, full->resource),
            fmt::format("{} in use", full->current),
            fmt::format("rdma.max of control group {} lets it have {} {} of {}",
                        full->group,
                        full->most,
                        full->resource,
                        full->device));
    }
    return judgeLine(evidence,
                     isObjectLimit,
                     "no object that the adapter refused to make",
                     "the adapter made no more queue pairs, completion queues or "
                     "memory regions");
}

Judgement judgeSymbols(const Evidence& evidence) {
    return judgeLine(evidence,
                     isSymbolMismatch,
                     "modules of one build",
                     "a module was built against another RDMA stack than the one that "
                     "is loaded");
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "qp.limit",
     .worst = Verdict::fail,
     .cause = "the adapter has no queue pair left",
     .source = "experience",
     .look = "dmesg | grep 'limits exceeded'; rdma resource show; cat "
             "{cgroup}/rdma.max",
     .fix = "fewer connections, or another limit in rdma.max",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeQueuePairs},
    {.id = "driver.symbols",
     .worst = Verdict::fail,
     .cause = "an RDMA module was refused: it belongs to another stack",
     .source = "experience",
     .look = "dmesg | grep 'disagrees about version of symbol'",
     .fix = "install one stack for this kernel as a whole (dkms status), then reboot",
     .action = {},
     .restart = Restart::reboot,
     .judge = judgeSymbols},
});

}  // namespace

std::span<const Rule> kernelLogRules() {
    return kRules;
}

}  // namespace fabric::doctor
