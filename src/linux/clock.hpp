// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"

namespace fabric::linux_host {

class SystemClock : public host::Clock {
  public:
    [[nodiscard]] std::chrono::steady_clock::time_point now() const override {
        return std::chrono::steady_clock::now();
    }

    [[nodiscard]] std::chrono::system_clock::time_point wallTime() const override {
        return std::chrono::system_clock::now();
    }
};

}  // namespace fabric::linux_host
