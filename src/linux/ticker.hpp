// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <chrono>
#include <utility>

namespace fabric::linux_host {

// Wakes its caller at a steady pace (timerfd of CLOCK_MONOTONIC): what the caller does
// in between does not shift the next time, and times that were missed are not made up.
class Ticker {
  public:
    // The first time is one `interval` (more than 0) from now.
    [[nodiscard]] static Result<Ticker> every(std::chrono::nanoseconds interval);

    // True when the time has come, false when a signal came first. Signals that the
    // caller keeps blocked are let in here.
    [[nodiscard]] Result<bool> wait() const;

  private:
    explicit Ticker(UniqueFd fd) : fd_(std::move(fd)) {}

    UniqueFd fd_;
};

}  // namespace fabric::linux_host
