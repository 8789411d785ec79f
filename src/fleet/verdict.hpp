// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/rule.hpp"
#include "engine/report.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace fabric::fleet {

// One host, and which of its rails; none: it as a whole, or all of them.
struct Place {
    std::string host;
    std::vector<std::string> rails;
};

// One value with the hosts that have it.
struct Side {
    std::string value;
    std::vector<Place> places;  // at most kMostPlaces of them
    std::size_t hosts = 0;      // how many they are
};

// Places that are kept of one side: a fleet that is wrong everywhere needs no list.
inline constexpr std::size_t kMostPlaces = 1000;
// Sides that are kept of one cause.
inline constexpr std::size_t kMostSides = 1000;

// One difference between hosts, whoever has it.
struct Cause {
    std::string id;  // "pfc", "neighbour.wrong-rail"
    // fail, warn, or unreadable: some hosts do not tell it.
    doctor::Verdict severity = doctor::Verdict::fail;
    std::string what;         // "priorities with PFC"
    std::vector<Side> sides;  // of the outliers, the fewest hosts first
    std::size_t moreSides = 0;
    std::string usual;           // the value of the others; "" there is none
    std::size_t usualHosts = 0;  // how many they are
    std::string fix;

    [[nodiscard]] std::size_t hosts() const;  // of all sides
};

// A document that is no host's facts.
struct Unusable {
    std::string origin;
    std::string problem;  // for a person, safe to print
};

// Unusable documents that are kept: a stream may be a gigabyte of broken lines.
inline constexpr std::size_t kMostUnusable = 1000;

// What the facts of many hosts say together. Text is not escaped, but for `problem`.
struct Verdict {
    std::size_t hosts = 0;
    std::size_t rails = 0;
    std::size_t neighbours = 0;
    std::size_t foreign = 0;     // neighbour entries for addresses of none of the hosts
    std::size_t passedOver = 0;  // files and archive members that are no facts by name
    std::string oldest;          // when the first and the last facts were taken
    std::string newest;
    std::vector<Unusable> unusable;  // at most kMostUnusable of them
    std::size_t moreUnusable = 0;
    std::vector<Cause> causes;  // the worst first, then the fewest hosts

    // 0 all alike, 2 they differ, 6 something could not be read (worse than 2).
    [[nodiscard]] engine::ExitCode exitCode() const;
    // "consistent", "differs", "unverifiable"
    [[nodiscard]] std::string_view result() const;
};

}  // namespace fabric::fleet
