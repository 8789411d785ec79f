// SPDX-License-Identifier: Apache-2.0
#include "report/fleet.hpp"

#include "base/text.hpp"
#include "report/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <ranges>
#include <utility>

namespace fabric::report {

namespace {

using fleet::Cause;
using fleet::Place;
using fleet::Side;
using fleet::Verdict;

// Of a list, in the one line that a cause has.
constexpr std::size_t kShownPlaces = 3;
constexpr std::size_t kShownSides = 2;
constexpr std::size_t kShownUnusable = 5;
constexpr std::size_t kShownRails = 2;
constexpr std::size_t kShownValue = 60;

Tone toneOf(doctor::Verdict severity) {
    return severity == doctor::Verdict::warn ? Tone::change : Tone::bad;
}

std::string numberOf(std::size_t count, std::string_view one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string shown(std::string_view text, bool whole) {
    std::string safe = escapeForTerminal(text);
    // What is cut here may be the begin of an escape, which then stands for itself.
    if (!whole && safe.size() > kShownValue) {
        safe = safe.substr(0, kShownValue) + "...";
    }
    return safe;
}

class VerdictWriter {
  public:
    VerdictWriter(const Verdict& verdict, const TextOptions& options)
        : verdict_(verdict), options_(options), palette_(options.color) {}

    std::string write() {
        if (!options_.quiet) {
            writeHead();
        }
        writeUnusable();
        for (const Cause& cause : verdict_.causes) {
            writeCause(cause);
        }
        if (!options_.quiet) {
            writeRepairs();
            writeEnd();
        }
        return std::move(text_);
    }

  private:
    void writeHead() {
        text_ +=
            fmt::format("{}: {}, {}\n",
                        palette_.paint(Tone::strong, numberOf(verdict_.hosts, "host")),
                        numberOf(verdict_.rails, "rail"),
                        takenText());
    }

    [[nodiscard]] std::string takenText() const {
        if (verdict_.hosts == 0) {
            return "no facts";
        }
        if (verdict_.oldest == verdict_.newest) {
            return fmt::format("facts of {}", escapeForTerminal(verdict_.newest));
        }
        return fmt::format("facts of {} to {}",
                           escapeForTerminal(verdict_.oldest),
                           escapeForTerminal(verdict_.newest));
    }

    void writeUnusable() {
        const std::size_t kept = verdict_.unusable.size();
        const std::size_t all = kept + verdict_.moreUnusable;
        const std::size_t most =
            options_.verbose ? kept : std::min(kept, kShownUnusable);
        for (const fleet::Unusable& one : verdict_.unusable | std::views::take(most)) {
            text_ += fmt::format("{} {}: {}\n",
                                 palette_.paint(Tone::bad, "unreadable"),
                                 escapeForTerminal(one.origin),
                                 one.problem);
        }
        if (most < all) {
            text_ += fmt::format("{} {} more (--verbose names the first 1,000)\n",
                                 palette_.paint(Tone::bad, "unreadable"),
                                 all - most);
        }
    }

    [[nodiscard]] static std::string placeText(const Place& place, std::size_t rails) {
        std::string text = escapeForTerminal(place.host);
        if (place.rails.size() > rails) {
            return fmt::format("{} ({} rails)", text, place.rails.size());
        }
        for (const std::string& rail : place.rails) {
            text += " " + escapeForTerminal(rail);
        }
        return text;
    }

    [[nodiscard]] std::string placesText(const Side& side) const {
        const std::size_t most = options_.verbose ? side.places.size() : kShownPlaces;
        const std::size_t rails =
            options_.verbose ? std::numeric_limits<std::size_t>::max() : kShownRails;
        std::string text;
        std::size_t named = 0;
        for (const Place& place : side.places | std::views::take(most)) {
            text += (text.empty() ? "" : ", ") + placeText(place, rails);
            ++named;
        }
        return named < side.hosts
                   ? text + fmt::format(" and {} more", side.hosts - named)
                   : text;
    }

    // "none on node7 rail3; 2, 3 on node9; 998 hosts have 3"
    [[nodiscard]] std::string sidesText(const Cause& cause) const {
        std::string text;
        const std::size_t most = options_.verbose ? cause.sides.size() : kShownSides;
        for (const Side& side : cause.sides | std::views::take(most)) {
            const std::string value = shown(side.value, options_.verbose);
            text += text.empty() ? "" : "; ";
            text +=
                value.empty() ? placesText(side) : value + " on " + placesText(side);
        }
        const std::size_t left =
            cause.sides.size() - std::min(cause.sides.size(), most) + cause.moreSides;
        text += left == 0 ? "" : fmt::format("; {} more", numberOf(left, "value"));
        if (!cause.usual.empty()) {
            text += fmt::format("; {} {} {}",
                                numberOf(cause.usualHosts, "host"),
                                cause.usualHosts == 1 ? "has" : "have",
                                shown(cause.usual, options_.verbose));
        }
        return text;
    }

    void writeCause(const Cause& cause) {
        text_ += fmt::format(
            "{} {}: {}: {}\n",
            palette_.paint(toneOf(cause.severity), doctor::toString(cause.severity)),
            palette_.paint(Tone::strong, cause.id),
            cause.what,
            sidesText(cause));
    }

    void writeRepairs() {
        if (verdict_.causes.empty()) {
            return;
        }
        text_ += "\nwhat makes them alike\n";
        for (const Cause& cause : verdict_.causes) {
            text_ += fmt::format("  {:<21} {}\n", cause.id, wrapped(cause.fix, 24));
        }
    }

    void writeEnd() {
        text_ +=
            fmt::format("{}: {}, {}, {}, {}\n",
                        palette_.paint(verdict_.exitCode() == engine::ExitCode::asWanted
                                           ? Tone::good
                                           : Tone::bad,
                                       verdict_.result()),
                        numberOf(verdict_.causes.size(), "difference"),
                        numberOf(verdict_.unusable.size() + verdict_.moreUnusable,
                                 "unreadable document"),
                        fmt::format("{} neighbour {} of which {} for {}",
                                    verdict_.neighbours,
                                    verdict_.neighbours == 1 ? "entry" : "entries",
                                    verdict_.foreign,
                                    "none of these hosts"),
                        numberOf(verdict_.passedOver, "file") + " passed over");
        if (verdict_.hosts == 0) {
            text_ +=
                "next: take the facts of each host with 'fabricctl facts --output "
                "FILE', and name the files, or a directory or archive of them\n";
        } else if (verdict_.rails == 0) {
            text_ +=
                "next: no host has a rail that could be compared: see 'fabricctl "
                "status' "
                "on one of them, or name a profile that selects interfaces with "
                "--profile\n";
        }
    }

    const Verdict& verdict_;
    const TextOptions& options_;
    Palette palette_;
    std::string text_;
};

Value textList(const std::vector<std::string>& texts) {
    Value::List list;
    std::ranges::transform(texts,
                           std::back_inserter(list),
                           [](const std::string& text) { return Value(text); });
    return list;
}

Value countOf(std::size_t count) {
    return static_cast<std::int64_t>(count);
}

Value sideValue(const Side& side) {
    Value::List places;
    for (const Place& place : side.places) {
        places.emplace_back(
            Value::Object{{"host", place.host}, {"rails", textList(place.rails)}});
    }
    return Value::Object{{"value", side.value},
                         {"count", countOf(side.hosts)},
                         {"places", std::move(places)}};
}

Value usualValue(const Cause& cause) {
    if (cause.usual.empty()) {
        return {};
    }
    return Value::Object{{"value", cause.usual}, {"count", countOf(cause.usualHosts)}};
}

Value causeValue(const Cause& cause) {
    Value::List sides;
    std::ranges::transform(cause.sides, std::back_inserter(sides), sideValue);
    return Value::Object{{"id", cause.id},
                         {"severity", doctor::toString(cause.severity)},
                         {"what", cause.what},
                         {"sides", std::move(sides)},
                         {"more_sides", countOf(cause.moreSides)},
                         {"usual", usualValue(cause)},
                         {"fix", cause.fix}};
}

}  // namespace

std::string toText(const Verdict& verdict, const TextOptions& options) {
    return VerdictWriter(verdict, options).write();
}

Value toValue(const Verdict& verdict) {
    Value::List causes;
    std::ranges::transform(verdict.causes, std::back_inserter(causes), causeValue);
    Value::List unusable;
    for (const fleet::Unusable& one : verdict.unusable) {
        unusable.emplace_back(
            Value::Object{{"origin", one.origin}, {"problem", one.problem}});
    }
    return Value::Object{{"schema", "fabricctl/fleet/1"},
                         {"result", verdict.result()},
                         {"exit_code", static_cast<int>(verdict.exitCode())},
                         {"hosts", countOf(verdict.hosts)},
                         {"rails", countOf(verdict.rails)},
                         {"neighbours", countOf(verdict.neighbours)},
                         {"foreign_neighbours", countOf(verdict.foreign)},
                         {"passed_over", countOf(verdict.passedOver)},
                         {"oldest", verdict.oldest},
                         {"newest", verdict.newest},
                         {"unusable", std::move(unusable)},
                         {"more_unusable", countOf(verdict.moreUnusable)},
                         {"causes", std::move(causes)}};
}

}  // namespace fabric::report
