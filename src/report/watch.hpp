// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/text.hpp"
#include "watch/verdict.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace fabric::report {

// What `fabricctl watch` prints. A count that is not known is "?" for people and null
// in JSON, never 0. Foreign text is escaped.

// One rail in one line with a final newline, for a log.
[[nodiscard]] std::string watchLine(const watch::Look& look,
                                    std::chrono::system_clock::time_point time);

// The same as one line of JSON (docs/watch-schema.json).
[[nodiscard]] std::string watchJsonLine(const watch::Look& look,
                                        std::chrono::system_clock::time_point time);

struct WatchScreen {
    std::string host;
    std::chrono::system_clock::time_point time;
    std::chrono::milliseconds interval{0};
    std::size_t rows = 24;  // of the terminal
};

// All rails for a terminal, as many lines as it has rows less one: in full when there
// is room, else one line per rail. Lines carry no newline.
[[nodiscard]] std::vector<std::string> watchLines(const std::vector<watch::Look>& looks,
                                                  const WatchScreen& screen,
                                                  const TextOptions& options);

}  // namespace fabric::report
