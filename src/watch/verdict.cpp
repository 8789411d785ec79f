// SPDX-License-Identifier: Apache-2.0
#include "watch/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace fabric::watch {

namespace {

// What drops are told by: answers about missing packets, and discards of the priorities
// that must not lose any. A receiver without a posted request (outOfBuffer) is asked to
// wait by the protocol, and packets out of sequence may come from adaptive routing.
constexpr std::array kLosses{Meaning::packetSequence, Meaning::ackTimeout};
constexpr std::array kDiscards{Meaning::discards, Meaning::hostDiscards};
constexpr std::array kPauses{Meaning::pauseReceived, Meaning::pauseSent};
constexpr std::array kBytes{Meaning::receivedBytes, Meaning::sentBytes};

std::set<Priority> everyPriority() {
    std::set<Priority> all;
    for (std::uint8_t number = 0; number < kPriorityCount; ++number) {
        all.insert(Priority::of(number));
    }
    return all;
}

// The sum of what is known; empty when nothing is.
class Sum {
  public:
    Sum(const Rises& rises, std::set<Priority> priorities)
        : rises_(rises), priorities_(std::move(priorities)) {}

    void whole(std::span<const Meaning> meanings) {
        for (const Meaning meaning : meanings) {
            add(meaning, std::nullopt);
        }
    }

    void perPriority(std::span<const Meaning> meanings) {
        for (const Meaning meaning : meanings) {
            for (const Priority priority : priorities_) {
                add(meaning, priority);
            }
        }
    }

    [[nodiscard]] std::optional<std::uint64_t> total() const { return total_; }

    // "packet_seq_err 3, discards of priority 3 12"
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    void add(Meaning meaning, std::optional<Priority> priority) {
        const auto rise = riseOf(rises_, meaning, priority);
        if (!rise) {
            return;
        }
        total_ = total_.value_or(0) + *rise;
        if (*rise > 0) {
            text_ += fmt::format(
                "{}{}{} {}",
                text_.empty() ? "" : ", ",
                toString(meaning),
                priority ? fmt::format(" of priority {}", priority->number()) : "",
                *rise);
        }
    }

    const Rises& rises_;
    std::set<Priority> priorities_;
    std::optional<std::uint64_t> total_;
    std::string text_;
};

Judgement unknown(std::string reason) {
    return {.verdict = Verdict::unknown, .reason = std::move(reason)};
}

// Counters of a direction that is not told hide load.
std::optional<std::uint64_t> bytesOf(const Rises& rises) {
    Sum rdma(rises, {});
    rdma.whole(kBytes);
    if (rdma.total()) {
        return rdma.total();
    }
    Sum ports(rises, everyPriority());
    ports.perPriority(kBytes);
    return ports.total();
}

}  // namespace

std::string_view toString(Verdict verdict) {
    switch (verdict) {
        case Verdict::unknown:
            return "unknown";
        case Verdict::noLoad:
            return "no-load";
        case Verdict::flowing:
            return "flowing";
        case Verdict::pausing:
            return "pausing";
        case Verdict::dropping:
            return "dropping";
    }
    return "unknown";
}

std::string_view sentenceOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::unknown:
            return "unknown";
        case Verdict::noLoad:
            return "no load";
        case Verdict::flowing:
            return "flowing, not dropping";
        case Verdict::pausing:
            return "pausing, not dropping";
        case Verdict::dropping:
            return "dropping";
    }
    return "unknown";
}

Judgement judge(const Movement& movement, const Result<std::set<Priority>>& lossless) {
    // Without a word on PFC every pause frame of a priority counts.
    const bool told = lossless && !lossless->empty();
    const std::set<Priority> priorities = told ? *lossless : everyPriority();
    Sum losses(movement.rises, priorities);
    losses.whole(kLosses);
    const bool lossesKnown = losses.total().has_value();
    if (told) {
        losses.perPriority(kDiscards);
    }
    Sum pauses(movement.rises, priorities);
    pauses.perPriority(kPauses);
    if (losses.total().value_or(0) > 0) {
        return {.verdict = Verdict::dropping, .reason = losses.text()};
    }
    if (!lossesKnown) {
        return unknown(pauses.total().value_or(0) > 0
                           ? "pausing; whether it drops is not counted here"
                           : "no counter tells whether packets are lost");
    }
    if (pauses.total().value_or(0) > 0) {
        return {.verdict = Verdict::pausing, .reason = pauses.text()};
    }
    const auto bytes = bytesOf(movement.rises);
    if (!bytes) {
        return unknown("no counter tells how much data goes by");
    }
    const bool load =
        static_cast<double>(*bytes) >= kLoadBytesPerSecond * movement.seconds;
    return {.verdict = load ? Verdict::flowing : Verdict::noLoad, .reason = {}};
}

bool isWrong(const Look& look) {
    return look.judgement.verdict == Verdict::dropping ||
           look.judgement.verdict == Verdict::unknown;
}

Look Session::compare(Track& track, Sample sample) {
    Look look;
    look.movement = between(track.last, sample);
    look.judgement = judge(look.movement, sample.lossless);
    for (const auto& [counted, rise] : look.movement.rises) {
        track.sinceStart[counted] += rise;
    }
    look.sinceStart = track.sinceStart;
    track.last = sample;
    look.sample = std::move(sample);
    return look;
}

Look Session::gone(const Track& track) {
    Look look;
    look.sample = track.last;
    look.judgement = unknown("the rail is not there any more");
    look.sinceStart = track.sinceStart;
    look.present = false;
    return look;
}

std::vector<Look> Session::take(std::vector<Sample> samples) {
    std::vector<Look> looks;
    std::set<std::string> present;
    for (Sample& sample : samples) {
        present.insert(sample.rail);
        const auto known = tracks_.find(sample.rail);
        if (known == tracks_.end()) {
            const std::string name = sample.rail;
            tracks_.emplace(name, Track{.last = std::move(sample), .sinceStart = {}});
        } else {
            looks.push_back(compare(known->second, std::move(sample)));
        }
    }
    for (const auto& [name, track] : tracks_) {
        if (!present.contains(name)) {
            looks.push_back(gone(track));
        }
    }
    std::ranges::sort(looks, {}, [](const Look& look) -> const std::string& {
        return look.sample.rail;
    });
    return looks;
}

}  // namespace fabric::watch
