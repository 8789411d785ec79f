// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"

namespace fabric::fake {

// Time that moves only when a test, or a wait on a fake, moves it.
class FakeClock : public host::Clock {
  public:
    [[nodiscard]] std::chrono::steady_clock::time_point now() const override {
        return std::chrono::steady_clock::time_point{} + elapsed_;
    }

    [[nodiscard]] std::chrono::system_clock::time_point wallTime() const override {
        return start + std::chrono::duration_cast<std::chrono::system_clock::duration>(
                           elapsed_);
    }

    void advance(std::chrono::steady_clock::duration by) { elapsed_ += by; }

    // Moves forward to `when`; never back.
    void advanceTo(std::chrono::steady_clock::time_point when) {
        if (when > now()) {
            elapsed_ = when - std::chrono::steady_clock::time_point{};
        }
    }

    std::chrono::system_clock::time_point start{std::chrono::seconds{1'700'000'000}};

  private:
    std::chrono::steady_clock::duration elapsed_{std::chrono::seconds{1000}};
};

}  // namespace fabric::fake
