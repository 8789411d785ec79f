// SPDX-License-Identifier: Apache-2.0
#include "report/watch.hpp"

#include "base/text.hpp"
#include "report/json_tree.hpp"
#include "report/palette.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace fabric::report {

namespace {

using watch::Counted;
using watch::Look;
using watch::Meaning;
using watch::Rises;
using watch::Verdict;
using Count = std::optional<std::uint64_t>;

constexpr std::array kLossesForPeople{Meaning::packetSequence, Meaning::ackTimeout};

Tone toneOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::flowing:
            return Tone::good;
        case Verdict::dropping:
            return Tone::bad;
        case Verdict::pausing:
        case Verdict::unknown:
            return Tone::change;
        case Verdict::noLoad:
            return Tone::dim;
    }
    return Tone::plain;
}

std::string timeOf(std::chrono::system_clock::time_point time) {
    const auto milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(time)),
                       milliseconds.count() % 1000);
}

std::string secondsOf(std::chrono::milliseconds interval) {
    return fmt::format("{:g}s", std::chrono::duration<double>(interval).count());
}

std::string count(Count number) {
    return number ? std::to_string(*number) : "?";
}

std::string perSecond(Count number, double seconds) {
    return number && seconds > 0
               ? fmt::format("{:.0f}/s", static_cast<double>(*number) / seconds)
               : "?";
}

// "92.10 Gb/s"
std::string bitRate(Count bytes, double seconds) {
    constexpr double kBits = 8;
    constexpr double kGiga = 1e9;
    return bytes && seconds > 0
               ? fmt::format("{:.2f} Gb/s",
                             static_cast<double>(*bytes) * kBits / seconds / kGiga)
               : "? Gb/s";
}

std::set<Priority> everyPriority() {
    std::set<Priority> all;
    for (std::uint8_t number = 0; number < kPriorityCount; ++number) {
        all.insert(Priority::of(number));
    }
    return all;
}

// What people look at of one rail.
class Figures {
  public:
    explicit Figures(const Look& look)
        : look_(look),
          rises_(look.movement.rises),
          seconds_(look.movement.seconds),
          lossless_(look.sample.lossless.value_or(std::set<Priority>{})),
          shown_(lossless_.empty() ? everyPriority() : lossless_) {}

    [[nodiscard]] std::string data() const {
        return fmt::format("in {}, out {}",
                           bitRate(bytes(Meaning::receivedBytes), seconds_),
                           bitRate(bytes(Meaning::sentBytes), seconds_));
    }

    [[nodiscard]] std::string pause() const {
        return fmt::format("paused {}{}, pausing {}{}",
                           perSecond(of(Meaning::pauseReceived), seconds_),
                           share(Meaning::pauseReceivedMicros),
                           perSecond(of(Meaning::pauseSent), seconds_),
                           share(Meaning::pauseSentMicros));
    }

    [[nodiscard]] std::string losses(bool sinceStart) const {
        std::string text;
        for (const Meaning meaning : kLossesForPeople) {
            add(text, meaning, rises_, look_.sinceStart, sinceStart);
        }
        const Count now = discards(rises_);
        text += fmt::format(", discards {}", count(now));
        if (sinceStart) {
            text += fmt::format(" ({})", count(discards(look_.sinceStart)));
        }
        return text;
    }

    // What the receiver and the switches ask senders for.
    [[nodiscard]] std::string restraint(bool sinceStart) const {
        std::string text;
        add(text, Meaning::outOfBuffer, rises_, look_.sinceStart, sinceStart);
        return text +
               fmt::format(
                   "; CNP out {} in {}, marked {}",
                   perSecond(watch::riseOf(rises_, Meaning::congestionSent), seconds_),
                   perSecond(watch::riseOf(rises_, Meaning::congestionHandled),
                             seconds_),
                   perSecond(watch::riseOf(rises_, Meaning::ecnMarked), seconds_));
    }

    // Where data goes besides: "other priorities: 0 in 0.10 Gb/s, out 0.02 Gb/s"; ""
    // nowhere, or not told.
    [[nodiscard]] std::string others() const {
        std::string text;
        for (const Priority priority : everyPriority()) {
            const auto in = watch::riseOf(rises_, Meaning::receivedBytes, priority);
            const auto out = watch::riseOf(rises_, Meaning::sentBytes, priority);
            if (lossless_.contains(priority) || in.value_or(0) + out.value_or(0) == 0) {
                continue;
            }
            text += fmt::format("{} {} in {}, out {}",
                                text.empty() ? "other priorities:" : ";",
                                priority.number(),
                                bitRate(in, seconds_),
                                bitRate(out, seconds_));
        }
        return text;
    }

    // "priority 3", "no priority has PFC"
    [[nodiscard]] std::string priorities() const {
        if (look_.sample.layer == host::LinkLayer::infiniband) {
            return "InfiniBand";
        }
        if (!look_.sample.lossless) {
            return "PFC unknown";
        }
        if (lossless_.empty()) {
            return "no priority has PFC";
        }
        std::string numbers;
        for (const Priority priority : lossless_) {
            numbers +=
                fmt::format("{}{}", numbers.empty() ? "" : ", ", priority.number());
        }
        return "priority " + numbers;
    }

  private:
    static void add(std::string& text,
                    Meaning meaning,
                    const Rises& rises,
                    const Rises& sinceStart,
                    bool withTotal) {
        text += fmt::format("{}{} {}",
                            text.empty() ? "" : ", ",
                            watch::toString(meaning),
                            count(watch::riseOf(rises, meaning)));
        if (withTotal) {
            text += fmt::format(" ({})", count(watch::riseOf(sinceStart, meaning)));
        }
    }

    [[nodiscard]] Count of(Meaning meaning) const {
        return watch::sumOf(rises_, meaning, shown_);
    }

    // Data of the lossless priorities, else of RDMA, else of all.
    [[nodiscard]] Count bytes(Meaning meaning) const {
        const Count lossless = watch::sumOf(rises_, meaning, lossless_);
        const Count rdma = watch::riseOf(rises_, meaning);
        return lossless ? lossless : rdma ? rdma : of(meaning);
    }

    [[nodiscard]] Count discards(const Rises& rises) const {
        const Count own = watch::sumOf(rises, Meaning::discards, lossless_);
        return own ? own : watch::riseOf(rises, Meaning::discards);
    }

    // " (3.1 %)" of the time; "" not told.
    [[nodiscard]] std::string share(Meaning meaning) const {
        constexpr double kMicrosPerSecond = 1e6;
        constexpr double kPercent = 100;
        const Count micros = of(meaning);
        return micros && seconds_ > 0
                   ? fmt::format(" ({:.1f} %)",
                                 static_cast<double>(*micros) * kPercent /
                                     (seconds_ * kMicrosPerSecond))
                   : "";
    }

    const Look& look_;
    const Rises& rises_;
    double seconds_;
    std::set<Priority> lossless_;
    std::set<Priority> shown_;
};

std::string verdictOf(const Look& look) {
    std::string text(watch::sentenceOf(look.judgement.verdict));
    if (!look.judgement.reason.empty()) {
        text += ": " + look.judgement.reason;
    }
    return text;
}

std::vector<std::string> notesOf(const Look& look) {
    std::vector<std::string> notes = look.movement.problems;
    for (const std::string& counter : look.movement.rebased) {
        notes.push_back(counter + " went backwards and is counted anew");
    }
    return notes;
}

void addInFull(const Look& look,
               const TextOptions& options,
               std::vector<std::string>& lines) {
    const Palette palette(options.color);
    const Figures figures(look);
    lines.push_back(
        fmt::format("{}  {}  {}",
                    palette.paint(Tone::strong, escapeForTerminal(look.sample.rail)),
                    palette.paint(toneOf(look.judgement.verdict), verdictOf(look)),
                    palette.paint(Tone::dim, figures.priorities())));
    if (look.present) {
        lines.push_back("  " + figures.data() + "; " + figures.pause());
        lines.push_back("  " + figures.losses(true));
        lines.push_back("  " + figures.restraint(true));
        if (const std::string others = figures.others(); !others.empty()) {
            lines.push_back("  " + others);
        }
    }
    for (const std::string& note : notesOf(look)) {
        lines.push_back("  " + escapeForTerminal(note));
    }
}

void addInShort(const Look& look,
                const TextOptions& options,
                std::vector<std::string>& lines) {
    const Palette palette(options.color);
    lines.push_back(
        fmt::format("{}  {}  {}",
                    palette.paint(Tone::strong, escapeForTerminal(look.sample.rail)),
                    palette.paint(toneOf(look.judgement.verdict),
                                  watch::sentenceOf(look.judgement.verdict)),
                    Figures(look).data()));
}

Json numberOf(Count number) {
    return number ? Json(*number) : Json(nullptr);
}

// Every meaning that stands for a whole rail, and per priority those that do there.
Json treeOf(const Rises& rises) {
    constexpr std::array kOnlyPerPriority{Meaning::pauseReceived,
                                          Meaning::pauseSent,
                                          Meaning::pauseReceivedMicros,
                                          Meaning::pauseSentMicros,
                                          Meaning::hostDiscards};
    constexpr std::array kPerPriority{Meaning::receivedBytes,
                                      Meaning::sentBytes,
                                      Meaning::pauseReceived,
                                      Meaning::pauseSent,
                                      Meaning::pauseReceivedMicros,
                                      Meaning::pauseSentMicros,
                                      Meaning::discards,
                                      Meaning::hostDiscards};
    Json tree = Json::object();
    for (const Meaning meaning : watch::everyMeaning()) {
        if (std::ranges::find(kOnlyPerPriority, meaning) == kOnlyPerPriority.end()) {
            tree[std::string(watch::toString(meaning))] =
                numberOf(watch::riseOf(rises, meaning));
        }
    }
    Json priorities = Json::object();
    for (const Priority priority : everyPriority()) {
        Json one = Json::object();
        for (const Meaning meaning : kPerPriority) {
            one[std::string(watch::toString(meaning))] =
                numberOf(watch::riseOf(rises, meaning, priority));
        }
        priorities[std::to_string(priority.number())] = std::move(one);
    }
    tree["priorities"] = std::move(priorities);
    return tree;
}

Json losslessOf(const Look& look) {
    if (!look.sample.lossless) {
        return nullptr;
    }
    Json list = Json::array();
    for (const Priority priority : *look.sample.lossless) {
        list.push_back(priority.number());
    }
    return list;
}

}  // namespace

std::string watchLine(const Look& look, std::chrono::system_clock::time_point time) {
    const Figures figures(look);
    std::string text = fmt::format(
        "{} {} {}", timeOf(time), escapeForTerminal(look.sample.rail), verdictOf(look));
    if (look.present) {
        text += fmt::format("; {}; {}; {}; {}; {}",
                            figures.priorities(),
                            figures.data(),
                            figures.pause(),
                            figures.losses(false),
                            figures.restraint(false));
    }
    for (const std::string& note : notesOf(look)) {
        text += "; " + escapeForTerminal(note);
    }
    return text + "\n";
}

std::string watchJsonLine(const Look& look,
                          std::chrono::system_clock::time_point time) {
    constexpr int kOneLine = -1;
    const Json tree{
        {"schema", "fabricctl/watch/1"},
        {"time", timeOf(time)},
        {"rail", look.sample.rail},
        {"rdma", look.sample.rdma.empty() ? Json(nullptr) : Json(look.sample.rdma)},
        {"driver", look.sample.driver},
        {"present", look.present},
        {"seconds", look.movement.seconds},
        {"verdict", watch::toString(look.judgement.verdict)},
        {"reason", look.judgement.reason},
        {"lossless_priorities", losslessOf(look)},
        {"rises", treeOf(look.movement.rises)},
        {"since_start", treeOf(look.sinceStart)},
        {"rebased", look.movement.rebased},
        {"problems", look.movement.problems},
    };
    return tree.dump(kOneLine, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> watchLines(const std::vector<Look>& looks,
                                    const WatchScreen& screen,
                                    const TextOptions& options) {
    const std::string head =
        fmt::format("{}  {:%H:%M:%S} UTC, every {}",
                    escapeForTerminal(screen.host),
                    fmt::gmtime(std::chrono::system_clock::to_time_t(screen.time)),
                    secondsOf(screen.interval));
    const std::size_t room = std::max<std::size_t>(screen.rows, 2) - 1;
    const auto written = [&](auto addLook) {
        std::vector<std::string> lines{head};
        for (const Look& look : looks) {
            if (!options.quiet || watch::isWrong(look)) {
                addLook(look, options, lines);
            }
        }
        return lines;
    };
    auto lines = written(addInFull);
    if (lines.size() > room) {
        lines = written(addInShort);
    }
    if (lines.size() > room) {
        const std::size_t left = lines.size() - room + 1;
        lines.resize(room - 1);
        lines.push_back(fmt::format("{} more rails: see --rail NAME", left));
    }
    return lines;
}

}  // namespace fabric::report
