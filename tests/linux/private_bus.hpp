// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/temporary_directory.hpp"

#include <sys/types.h>

#include <string>

namespace fabric::linux_host::testing {

// A message bus of the test's own: dbus-daemon, which the process takes for the system
// bus while this lives.
class PrivateBus {
  public:
    PrivateBus();
    PrivateBus(const PrivateBus&) = delete;
    PrivateBus& operator=(const PrivateBus&) = delete;
    PrivateBus(PrivateBus&&) = delete;
    PrivateBus& operator=(PrivateBus&&) = delete;
    ~PrivateBus();

    [[nodiscard]] const std::string& address() const { return address_; }

    void end();  // the daemon dies, its address stays

  private:
    TemporaryDirectory directory_;
    std::string address_;
    pid_t daemon_ = 0;
};

}  // namespace fabric::linux_host::testing
