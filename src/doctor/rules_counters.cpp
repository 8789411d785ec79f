// SPDX-License-Identifier: Apache-2.0
// What the counters of the rails tell, mostly between two looks.
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/load.hpp"
#include "doctor/rail_view.hpp"
#include "doctor/rules.hpp"
#include "watch/movement.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace fabric::doctor {

namespace {

using watch::Meaning;
using watch::Movement;
using watch::Place;
using watch::Rises;
using Count = std::optional<std::uint64_t>;

constexpr std::string_view kOneLook =
    "counters need two looks under load: fabricctl doctor --interval 10s";
constexpr std::string_view kNoLoad = "no load between the two looks";

std::set<Priority> losslessOf(const RailEvidence& rail) {
    return rail.first.lossless.value_or(std::set<Priority>{});
}

Value valueOf(std::uint64_t count) {
    return static_cast<std::int64_t>(count);
}

// Why one look at the counters of one place says nothing; empty: they can be read.
std::optional<Judgement> unreadableIn(const watch::Sample& sample, Place place) {
    const auto bad =
        std::ranges::find_if(sample.sources, [&](const watch::Source& source) {
            return source.place == place && !source.counters;
        });
    if (bad == sample.sources.end()) {
        return std::nullopt;
    }
    const Error& error = bad->counters.error();
    if (error.kind == ErrorKind::notFound || error.sysErrno == EOPNOTSUPP) {
        return notApplicable(sample.rail + " has no such counters");
    }
    return error.kind == ErrorKind::unsupported ? inconclusive(error.message())
                                                : unreadable(error);
}

std::optional<Judgement> unreadableAt(const RailEvidence& rail, Place place) {
    auto first = unreadableIn(rail.first, place);
    return first || !rail.second ? first : unreadableIn(*rail.second, place);
}

// The same, or there was one look only.
std::optional<Judgement> withoutLooks(const RailEvidence& rail, Place place) {
    if (auto why = unreadableAt(rail, place)) {
        return why;
    }
    return rail.second ? std::nullopt
                       : std::optional(inconclusive(std::string(kOneLook)));
}

// Nothing rose without a second look.
Movement between(const RailEvidence& rail) {
    return watch::between(rail.first, rail.second.value_or(rail.first));
}

bool underLoad(const Rises& rises) {
    return watch::riseOf(rises, Meaning::receivedBytes).value_or(0) +
               watch::riseOf(rises, Meaning::sentBytes).value_or(0) >=
           kLoadBytes;
}

// The losses that are counted: what the RDMA port was told by its peers, and what the
// net device discarded on a priority that must not lose anything.
Value::Object lossesOf(const RailEvidence& rail, const Rises& rises) {
    Value::Object found;
    for (const Meaning meaning : {Meaning::packetSequence, Meaning::ackTimeout}) {
        if (const auto rise = watch::riseOf(rises, meaning)) {
            found.emplace(watch::toString(meaning), valueOf(*rise));
        }
    }
    const auto lossless = losslessOf(rail);
    const auto discards = watch::sumOf(rises, Meaning::discards, lossless);
    // Some that are lost are a loss, whatever the other priorities do not tell.
    const auto some = watch::atLeast(rises, Meaning::discards, lossless);
    if (!found.empty() && (discards || some > 0)) {
        found.emplace(watch::toString(Meaning::discards), valueOf(some));
    }
    return found;
}

Judgement judgeDropsOf(const RailEvidence& rail) {
    if (auto without = withoutLooks(rail, Place::rdma)) {
        return *without;
    }
    const Rises rises = between(rail).rises;
    const Value::Object found = lossesOf(rail, rises);
    if (found.empty()) {
        return notApplicable("the driver has none of these counters");
    }
    const bool drops = std::ranges::any_of(
        found, [](const auto& loss) { return *loss.second.asInteger() > 0; });
    const Value expected = "no rise";
    if (drops) {
        const bool pauses =
            watch::atLeast(rises, Meaning::pauseReceived, losslessOf(rail)) > 0 ||
            watch::atLeast(rises, Meaning::pauseSent, losslessOf(rail)) > 0;
        return pauses
                   ? warned(expected,
                            found,
                            "packets of RoCE are lost although the port pauses: a hop "
                            "without PFC, or a buffer that is too small")
                   : failed(expected, found, "the fabric drops packets of RoCE");
    }
    return underLoad(rises) ? passed(expected, found)
                            : inconclusive(std::string(kNoLoad));
}

Judgement judgeDrops(const Evidence& evidence) {
    return worstRail(evidence, "there is no RDMA device", judgeDropsOf);
}

Judgement judgeMarkingOf(const RailEvidence& rail) {
    if (auto without = withoutLooks(rail, Place::rdma)) {
        return *without;
    }
    const Rises rises = between(rail).rises;
    const auto sent = watch::riseOf(rises, Meaning::congestionSent);
    if (!sent) {
        return notApplicable("the driver does not count congestion notifications");
    }
    const Verdict drops = judgeDropsOf(rail).verdict;
    if (drops == Verdict::fail || drops == Verdict::warn) {
        return inconclusive("the fabric drops: see drops.roce first");
    }
    const Value expected = "no congestion notifications";
    if (*sent > 0) {
        return warned(expected,
                      valueOf(*sent),
                      "the switch marks packets while nothing is dropped: its ECN "
                      "thresholds may be those for slow links");
    }
    return underLoad(rises) ? passed(expected, valueOf(*sent))
                            : inconclusive(std::string(kNoLoad));
}

Judgement judgeMarking(const Evidence& evidence) {
    return worstRail(evidence, "there is no RDMA device", judgeMarkingOf);
}

// Why the counters by priority of this rail say nothing; empty: they do.
std::optional<Judgement> withoutPriorities(const RailEvidence& rail) {
    if (rail.first.layer == host::LinkLayer::infiniband) {
        return notApplicable(rail.rail.name + " is an InfiniBand rail");
    }
    return unreadableAt(rail, Place::port);
}

// Bytes that left by each priority that sent any: {"0": 12, "3": 4000}
Value::Object sentByPriority(const Rises& rises) {
    Value::Object found;
    for (const auto& [counted, rise] : rises) {
        if (counted.meaning == Meaning::sentBytes && counted.priority && rise > 0) {
            found.emplace(std::to_string(counted.priority->number()), valueOf(rise));
        }
    }
    return found;
}

std::set<Priority> othersThan(const std::set<Priority>& some) {
    std::set<Priority> others;
    for (std::uint8_t number = 0; number < kPriorityCount; ++number) {
        if (!some.contains(Priority::of(number))) {
            others.insert(Priority::of(number));
        }
    }
    return others;
}

Judgement judgeTransmitOf(const RailEvidence& rail) {
    if (auto without = withoutPriorities(rail)) {
        return *without;
    }
    const std::set<Priority> lossless = losslessOf(rail);
    if (lossless.empty()) {
        return inconclusive("no priority is known to have PFC: see dcb.host");
    }
    if (!rail.second) {
        return inconclusive(std::string(kOneLook));
    }
    const Rises rises = between(rail).rises;
    const Value expected = "data of RDMA on a priority that has PFC";
    const Value::Object found = sentByPriority(rises);
    if (watch::atLeast(rises, Meaning::sentBytes, lossless) >= kLoadBytes) {
        return passed(expected, found);
    }
    if (!watch::sumOf(rises, Meaning::sentBytes, lossless)) {
        return notApplicable("the driver does not count bytes by priority");
    }
    // What RDMA sent tells best; a port also carries other traffic.
    const Count rdma = watch::riseOf(rises, Meaning::sentBytes);
    const std::uint64_t outside =
        watch::atLeast(rises, Meaning::sentBytes, othersThan(lossless));
    return rdma.value_or(outside) >= kLoadBytes
               ? warned(expected, found, "data leaves, but not on a lossless priority")
               : inconclusive(std::string(kNoLoad));
}

Judgement judgeTransmit(const Evidence& evidence) {
    return worstRail(evidence, "there is no RoCE rail", judgeTransmitOf);
}

// Silent for most of the time while next to nothing is sent: pause that does not end.
bool isStuck(const RailEvidence& rail,
             const Rises& rises,
             std::chrono::milliseconds interval) {
    constexpr std::uint64_t kMicrosPerMilli = 1000;
    constexpr std::uint64_t kFramesPerSecond = 1000;
    const auto millis = static_cast<std::uint64_t>(interval.count());
    const std::set<Priority> lossless = losslessOf(rail);
    const Count sent = watch::sumOf(rises, Meaning::sentBytes, lossless);
    if (!sent || *sent >= kLoadBytes || millis == 0) {
        return false;
    }
    if (const auto silent =
            watch::sumOf(rises, Meaning::pauseReceivedMicros, lossless)) {
        return *silent >= millis * kMicrosPerMilli / 2;
    }
    return watch::atLeast(rises, Meaning::pauseReceived, lossless) * 1000 >=
           millis * kFramesPerSecond;
}

// What the adapter itself says since it came up; empty: nothing.
std::optional<Judgement> judgeStormsSince(const watch::Sample& sample) {
    const Rises counted = watch::standing(sample);
    const auto cut = watch::riseOf(counted, Meaning::pauseStorms).value_or(0);
    if (cut > 0) {
        return failed("no pause without end",
                      valueOf(cut),
                      "the adapter stopped sending pause that did not end, since it "
                      "came up");
    }
    const auto warnings =
        watch::riseOf(counted, Meaning::pauseStormWarnings).value_or(0);
    if (warnings > 0) {
        return warned("no pause without end",
                      valueOf(warnings),
                      "the adapter was about to cut its own pause off, since it came "
                      "up");
    }
    return std::nullopt;
}

Judgement judgeStormOf(const RailEvidence& rail, std::chrono::milliseconds interval) {
    if (auto without = withoutPriorities(rail)) {
        return *without;
    }
    if (auto storms = judgeStormsSince(rail.second ? *rail.second : rail.first)) {
        return std::move(*storms);
    }
    if (!rail.second) {
        return inconclusive(std::string(kOneLook));
    }
    const Rises rises = between(rail).rises;
    const Count pauses = watch::sumOf(rises, Meaning::pauseReceived, losslessOf(rail));
    if (!pauses) {
        return notApplicable("pause of a lossless priority is not counted here");
    }
    const Value expected = "pause that ends";
    return isStuck(rail, rises, interval)
               ? warned(expected,
                        valueOf(*pauses),
                        "the port is told to be silent while next to nothing is sent")
               : passed(expected, valueOf(*pauses));
}

Judgement judgeStorm(const Evidence& evidence) {
    const auto interval = evidence.interval.value_or(std::chrono::milliseconds(0));
    return worstRail(evidence, "there is no RoCE rail", [&](const RailEvidence& rail) {
        return judgeStormOf(rail, interval);
    });
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "drops.roce",
     .worst = Verdict::fail,
     .cause = "the fabric drops packets of RoCE instead of pausing",
     .source = "Troubleshoot RDMA: the fabric is not lossless",
     .look = "fabricctl watch --count 10; grep -r . "
             "/sys/class/infiniband/{rdma}/ports/{rdma-port}/hw_counters/ "
             "| grep -iE 'packet_seq_err|local_ack_timeout_err'",
     .fix = "PFC and DCQCN on every host and every switch of the path",
     .action = "{apply} --only dcb,ecn",
     .restart = Restart::none,
     .judge = judgeDrops},
    {.id = "ecn.thresholds",
     .worst = Verdict::warn,
     .cause = "the switch marks long before its buffer is full",
     .source = "Troubleshoot RDMA: throughput plateaus",
     .look =
         "cat /sys/class/infiniband/{rdma}/ports/{rdma-port}/hw_counters/np_cnp_sent",
     .fix = "raise the ECN thresholds on the switch (4 MB and 40 MB for 400G)",
     .action = {},
     .restart = Restart::none,
     .judge = judgeMarking,
     .unobserved = "the switch"},
    {.id = "prio.tx",
     .worst = Verdict::warn,
     .cause = "data leaves on another priority than the lossless one",
     .source = "Configure the RDMA fabric: confirm losslessness",
     .look =
         "fabricctl watch --count 10; ethtool -S {port} | grep -E 'tx_prio[03]_bytes'",
     .fix = "see dcb.host and dcb.auto_class",
     .action = "{apply} --only dcb",
     .restart = Restart::thisNode,
     .judge = judgeTransmit},
    {.id = "pfc.storm",
     .worst = Verdict::fail,
     .cause = "pause frames stop a port for good",
     .source = "experience",
     .look = "fabricctl watch --count 10; ethtool -S {port} | grep -E "
             "'prio[0-9]_pause|pause_storm'",
     .fix = "find the adapter that pauses; PFC watchdog on the switch",
     .action = {},
     .restart = Restart::none,
     .judge = judgeStorm},
});

}  // namespace

std::span<const Rule> counterRules() {
    return kRules;
}

}  // namespace fabric::doctor
