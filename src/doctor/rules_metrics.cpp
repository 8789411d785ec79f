// SPDX-License-Identifier: Apache-2.0
// What the storage server counts itself, between two looks at its metrics.
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/load.hpp"
#include "doctor/rules.hpp"
#include "doctor/server_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace fabric::doctor {

namespace {

constexpr std::string_view kFallbacks =
    "minio_system_network_internode_rdma_pool_fallbacks_total";
constexpr std::array<std::string_view, 2> kHeldBack{
    "minio_system_network_internode_rdma_nic_credit_waits_total",
    "minio_system_network_internode_rdma_nic_writes_throttled_total"};

// Why there are no numbers of inter-node RDMA; empty: there are.
std::optional<Judgement> withoutMetrics(const Evidence& evidence) {
    if (!evidence.metrics) {
        const bool here = !evidence.server.state ||
                          evidence.server.state->unit.loadState != "not-found";
        return here ? inconclusive(
                          "the server's metrics were not asked for: fabricctl "
                          "doctor --metrics-url URL --interval 10s")
                    : notApplicable(evidence.server.unit + " is not installed here");
    }
    const auto& metrics = *evidence.metrics;
    if (!metrics.first.internode) {
        return unreadable(metrics.first.internode.error());
    }
    return metrics.second && !metrics.second->internode
               ? std::optional(unreadable(metrics.second->internode.error()))
               : std::nullopt;
}

std::vector<ServerNumber> numbersOf(const Evidence& evidence) {
    const auto& metrics = *evidence.metrics;
    return doctor::numbersOf(*metrics.first.internode,
                             metrics.second ? &*metrics.second->internode : nullptr);
}

// What rose, or what stands there after one look.
Value::Object valuesOf(const std::vector<ServerNumber>& numbers) {
    Value::Object values;
    for (const ServerNumber& number : numbers) {
        values.emplace(number.name, countValue(number.rise.value_or(number.value)));
    }
    return values;
}

// Why the rise of these numbers is not known; empty: it is.
std::optional<Judgement> withoutRise(const Evidence& evidence,
                                     const std::vector<ServerNumber>& numbers,
                                     std::string_view wanted) {
    if (numbers.empty()) {
        return inconclusive(fmt::format("the server does not tell {}", wanted));
    }
    if (!evidence.metrics->second) {
        return inconclusive(
            "counters need two looks under load: --interval 10s; since "
            "the server was started: " +
            Value(valuesOf(numbers)).toText());
    }
    const auto unknown = std::ranges::find_if(
        numbers, [](const ServerNumber& number) { return !number.rise; });
    return unknown == numbers.end()
               ? std::nullopt
               : std::optional(inconclusive(unknown->name + ": " + unknown->unknown));
}

// `reason` is why a rise is no pass.
Judgement judgeRise(const Evidence& evidence,
                    std::span<const std::string_view> names,
                    std::string reason) {
    if (auto without = withoutMetrics(evidence)) {
        return *without;
    }
    std::vector<ServerNumber> numbers = numbersOf(evidence);
    std::erase_if(numbers, [&](const ServerNumber& number) {
        return std::ranges::find(names, number.name) == names.end();
    });
    if (auto without = withoutRise(evidence, numbers, names.front())) {
        return *without;
    }
    const bool rises = std::ranges::any_of(
        numbers, [](const ServerNumber& number) { return *number.rise > 0; });
    const Value expected = "no rise";
    if (rises) {
        return warned(expected, valuesOf(numbers), std::move(reason));
    }
    return underLoad(evidence) ? passed(expected, valuesOf(numbers))
                               : inconclusive("no load between the two looks");
}

Judgement judgeFallbacks(const Evidence& evidence) {
    return judgeRise(evidence,
                     std::span(&kFallbacks, 1),
                     "transfers fell back to TCP: a shard is larger than a slab of the "
                     "pool, or the pool is exhausted");
}

Judgement judgeThrottle(const Evidence& evidence) {
    Judgement judgement = judgeRise(evidence,
                                    kHeldBack,
                                    "senders are held back although nothing is known "
                                    "to be lost");
    const Rule* const drops = findRule("drops.roce");
    const bool lossy = drops != nullptr && judgement.verdict == Verdict::warn &&
                       drops->judge(evidence).verdict == Verdict::fail;
    return lossy ? inconclusive("the fabric drops: see drops.roce first") : judgement;
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "pool.fallbacks",
     .worst = Verdict::warn,
     .cause = "shards are larger than a slab, or the pool is exhausted",
     .source = "Troubleshoot RDMA: fallback counter",
     .look = "curl -s http://localhost:9000/minio/metrics/v3/system/network/internode/"
             "rdma | grep pool_fallbacks_total",
     .fix = "raise MINIO_RDMA_POOL_BUF_SIZE or MINIO_RDMA_POOL_COUNT",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeFallbacks},
    {.id = "nic.throttle",
     .worst = Verdict::warn,
     .cause = "senders are held back by the in-flight window",
     .source = "Troubleshoot RDMA: the fabric is not lossless",
     .look = "curl -s http://localhost:9000/minio/metrics/v3/system/network/internode/"
             "rdma | grep -E 'credit_waits|writes_throttled'",
     .fix = "raise MINIO_RDMA_INTERNODE_INFLIGHT_BYTES_MAX on a lossless fabric",
     .action = {},
     .restart = Restart::allNodes,
     .judge = judgeThrottle},
});

}  // namespace

std::span<const Rule> metricsRules() {
    return kRules;
}

}  // namespace fabric::doctor
