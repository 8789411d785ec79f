// SPDX-License-Identifier: Apache-2.0
#include "linux/service_log_search.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

namespace fabric::linux_host {

namespace {

using Words = std::span<const std::string_view>;
using std::chrono::steady_clock;

bool holdsOne(const host::ServiceLine& line, Words words) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return line.message.contains(word); });
}

// What may still be done at one end.
class Allowance {
  public:
    explicit Allowance(const SearchBounds& bounds)
        : bounds_(bounds), deadline_(steady_clock::now() + bounds.time) {}

    // Counts one entry more; false: no further one may be looked at.
    [[nodiscard]] bool take(std::size_t kept) {
        return ++entries_ <= bounds_.entries && kept < bounds_.lines &&
               steady_clock::now() < deadline_;
    }

  private:
    const SearchBounds& bounds_;
    steady_clock::time_point deadline_;
    std::size_t entries_ = 0;
};

struct Begin {
    std::vector<host::ServiceLine> lines;
    std::uint64_t lastUs = 0;  // of the newest entry that was looked at
    bool whole = false;        // there is no further one
};

Result<Begin> searchBegin(LineSource& source,
                          std::uint64_t sinceUs,
                          Words words,
                          const SearchBounds& bounds) {
    Begin begin{.lines = {}, .lastUs = sinceUs, .whole = false};
    Allowance allowance(bounds);
    while (allowance.take(begin.lines.size())) {
        auto line = TRY(source.next());
        if (!line) {
            begin.whole = true;
            return begin;
        }
        begin.lastUs = std::max(begin.lastUs, line->monotonicUs);
        if (line->monotonicUs >= sinceUs && holdsOne(*line, words)) {
            begin.lines.push_back(std::move(*line));
        }
    }
    return begin;
}

}  // namespace

Result<host::ServiceLines> searchLines(LineSource& source,
                                       std::uint64_t sinceUs,
                                       Words words,
                                       const SearchBounds& bounds) {
    Begin begin = TRY(searchBegin(source, sinceUs, words, bounds));
    host::ServiceLines found{.lines = std::move(begin.lines), .gap = {}};
    if (begin.whole) {
        return found;
    }
    TRY(source.toEnd());
    std::vector<host::ServiceLine> end;
    Allowance allowance(bounds);
    found.gap = "it wrote so much that only the begin and the end were searched";
    while (allowance.take(end.size())) {
        auto line = TRY(source.previous());
        if (!line || line->monotonicUs <= begin.lastUs) {
            found.gap.clear();
            break;
        }
        if (holdsOne(*line, words)) {
            end.push_back(std::move(*line));
        }
    }
    std::ranges::move(end | std::views::reverse, std::back_inserter(found.lines));
    return found;
}

}  // namespace fabric::linux_host
