// SPDX-License-Identifier: Apache-2.0
#include "cli/option_values.hpp"

#include "base/text.hpp"
#include "cli/options.hpp"
#include "doctor/metrics.hpp"
#include "doctor/symptoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

namespace fabric::cli {

namespace {

std::string absolutePath(const std::string& path) {
    std::error_code unknownPlace;  // the path stays as it is, and is refused
    const auto absolute = std::filesystem::absolute(path, unknownPlace);
    return unknownPlace ? path : absolute.string();
}

// What is said to who left the unit out, or gave one that there is not; "" to others.
std::string unitAdvice(const std::string& text) {
    constexpr std::uint64_t kDaysOfWeek = 7;
    const std::size_t digits =
        std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = parseUnsigned(std::string_view(text).substr(0, digits));
    if (!number || parseDuration(text)) {
        return {};
    }
    const std::string_view unit = std::string_view(text).substr(digits);
    const std::string meant = unit.empty() ? fmt::format("{}s", *number)
                              : unit == "w" && *number < UINT64_MAX / kDaysOfWeek
                                  ? fmt::format("{}d", *number * kDaysOfWeek)
                                  : "";
    return (meant.empty() || !parseDuration(meant) ? ""
                                                   : "; did you mean " + meant + "?") +
           std::string("; units are ms, s, min, h and d");
}

template <typename T>
Meaning durationInto(T& into, std::string name, std::string such) {
    return [&into, name = std::move(name), such = std::move(such)](
               const std::string& text) -> std::string {
        const auto parsed = parseDuration(text);
        into = parsed.value_or(std::chrono::milliseconds(0));
        return parsed ? ""
                      : fmt::format("{}: not a duration such as {}: {}{}",
                                    name,
                                    such,
                                    escapeForTerminal(text),
                                    unitAdvice(text));
    };
}

std::string railProblem(const std::string& rail) {
    constexpr std::string_view kByIndex = "ifindex:";
    if (rail.empty()) {
        return "--rail: an empty name names no rail; leave it out for all of them";
    }
    if (!rail.starts_with(kByIndex)) {
        return {};
    }
    const auto index = parseUnsigned(std::string_view(rail).substr(kByIndex.size()));
    return index && *index != 0 && *index <= INT32_MAX
               ? ""
               : "--rail: not an interface index such as ifindex:4: " +
                     escapeForTerminal(rail);
}

}  // namespace

Meaning nonEmpty(std::string& into, std::string otherwise) {
    return [&into, otherwise = std::move(otherwise)](const std::string& text) {
        into = text;
        return text.empty() ? otherwise : std::string();
    };
}

Meaning duration(std::chrono::milliseconds& into, std::string name, std::string such) {
    return durationInto(into, std::move(name), std::move(such));
}

Meaning duration(std::optional<std::chrono::milliseconds>& into,
                 std::string name,
                 std::string such) {
    return durationInto(into, std::move(name), std::move(such));
}

Meaning timeToConfirm(std::optional<std::chrono::milliseconds>& into) {
    return [&into](const std::string& text) -> std::string {
        constexpr std::chrono::seconds kShortest{10};
        constexpr std::chrono::hours kLongest{24};
        into = parseDuration(text);
        return into && *into >= kShortest && *into <= kLongest
                   ? ""
                   : "--confirm-within: not a duration from 10s to 24h: " +
                         escapeForTerminal(text) + unitAdvice(text);
    };
}

Meaning pace(std::optional<std::chrono::milliseconds>& into) {
    return [&into](const std::string& text) -> std::string {
        constexpr std::chrono::milliseconds kShortest{100};
        constexpr std::chrono::hours kLongest{1};
        into = parseDuration(text);
        return into && *into >= kShortest && *into <= kLongest
                   ? ""
                   : "--interval: not a duration from 100ms to 1h: " +
                         escapeForTerminal(text) + unitAdvice(text);
    };
}

Meaning positive(std::optional<unsigned>& into, std::string name) {
    return [&into, name = std::move(name)](const std::string& text) -> std::string {
        constexpr unsigned long long kMost = 1'000'000'000;
        const auto number = parseUnsigned(text);
        const bool holds = number && *number > 0 && *number <= kMost;
        into = holds ? std::optional(static_cast<unsigned>(*number)) : std::nullopt;
        return holds ? ""
                     : name + ": not a number from 1 on: " + escapeForTerminal(text);
    };
}

Meaning fileToWrite(std::string& into, std::string name) {
    return [&into, name = std::move(name)](const std::string& text) -> std::string {
        into = absolutePath(text);
        return text.empty() ? name + ": an empty name names no file" : "";
    };
}

Meaning serverUrl(std::string& into, std::string name) {
    return [&into, name = std::move(name)](const std::string& text) -> std::string {
        into = text;
        const std::string problem = doctor::urlProblem(text);
        // What stands in the place of a user may be a password.
        return problem.empty()
                   ? ""
                   : name + ": not a URL such as https://node1:9000: " + problem;
    };
}

Meaning ipAddress(std::optional<IpAddress>& into, std::string name) {
    return [&into, name = std::move(name)](const std::string& text) -> std::string {
        into = IpAddress::parse(text);
        return into ? "" : name + ": not an IP address: " + escapeForTerminal(text);
    };
}

Meaning symptom(std::string& into) {
    return [&into](const std::string& text) -> std::string {
        into = text;
        if (doctor::findSymptom(text) != nullptr) {
            return {};
        }
        std::vector<std::string> names;
        std::ranges::transform(
            doctor::symptoms(),
            std::back_inserter(names),
            [](const doctor::Symptom& one) { return std::string(one.name); });
        const auto nearest = nearestWord(text, names);
        return fmt::format("there is no symptom '{}'; {}",
                           escapeForTerminal(text),
                           nearest ? "did you mean " + *nearest + "?"
                                   : fmt::format("{}", fmt::join(names, ", ")));
    };
}

Meaning railName(std::string& into) {
    return [&into](const std::string& text) {
        into = text;
        return railProblem(text);
    };
}

std::optional<std::chrono::milliseconds> parseDuration(const std::string& text) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> kUnits{
        {{"ms", 1},
         {"s", 1000},
         {"min", 60'000},
         {"m", 60'000},
         {"h", 3'600'000},
         {"d", 86'400'000}}};
    constexpr unsigned long long kLongest = 1'000'000;
    const std::size_t digits =
        std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = parseUnsigned(std::string_view(text).substr(0, digits));
    const std::string_view unit = std::string_view(text).substr(digits);
    if (!number || *number > kLongest) {
        return std::nullopt;
    }
    const auto* const found = std::ranges::find(
        kUnits, unit, &std::pair<std::string_view, std::int64_t>::first);
    if (found == kUnits.end() && !(unit.empty() && *number == 0)) {
        return std::nullopt;
    }
    return std::chrono::milliseconds(static_cast<std::int64_t>(*number) *
                                     (unit.empty() ? 0 : found->second));
}

}  // namespace fabric::cli
