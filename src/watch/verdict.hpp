// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "watch/movement.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::watch {

// What a rail did between two samples. `flowing`: data, no pause, nothing dropped.
enum class Verdict { unknown, noLoad, flowing, pausing, dropping };

// "pausing": how JSON is told.
[[nodiscard]] std::string_view toString(Verdict verdict);
// "pausing, not dropping": how people are told.
[[nodiscard]] std::string_view sentenceOf(Verdict verdict);

struct Judgement {
    Verdict verdict = Verdict::unknown;
    std::string reason;  // what it rests on; of `unknown`, what is missing
};

// Less than this in a second may be keep-alive traffic.
inline constexpr double kLoadBytesPerSecond = 1 << 20;

// Pure. A loss counter that is not known is not 0: without one, neither "not dropping"
// nor "no load" is said.
[[nodiscard]] Judgement judge(const Movement& movement,
                              const Result<std::set<Priority>>& lossless);

// One rail, compared with how it was at the look before.
struct Look {
    Sample sample;  // the newer one
    Movement movement;
    Judgement judgement;
    Rises sinceStart;     // of what is counted since the watch began, restarts bridged
    bool present = true;  // false: the rail is not there any more
};

// What --quiet shows: it drops, or nobody can tell.
[[nodiscard]] bool isWrong(const Look& look);

// The rails of one host while they are watched.
class Session {
  public:
    // One look per rail that was seen before, sorted by name; a rail that is seen for
    // the first time has nothing to be compared with yet.
    [[nodiscard]] std::vector<Look> take(std::vector<Sample> samples);

  private:
    struct Track {
        Sample last;
        Rises sinceStart;
    };

    [[nodiscard]] static Look compare(Track& track, Sample sample);
    [[nodiscard]] static Look gone(const Track& track);

    std::map<std::string, Track> tracks_;
};

}  // namespace fabric::watch
