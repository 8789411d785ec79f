// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "resource/step.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace fabric::engine {

// Bytes that are equal for equal values only: each part with its kind and length, so
// that no two sequences differ only in where a part ends. For hashes.
class Fingerprint {
  public:
    void add(std::string_view text);

    template <std::integral T>
    void add(T number) {
        part('i', std::to_string(number));
    }

    void addValue(const Value& value);

    // SHA-256 of what was added.
    [[nodiscard]] std::string digest() const;

  private:
    void part(char kind, std::string_view bytes);

    std::string bytes_;
};

// A step by what it writes, where and for which properties; its wording does not count.
// Nor do the entries that a flush of a whole interface takes: the cache goes on
// learning between a plan and its run. Pure.
[[nodiscard]] std::string fingerprintOf(const resource::Step& step);

}  // namespace fabric::engine
