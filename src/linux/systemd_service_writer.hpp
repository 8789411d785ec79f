// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/systemd_bus.hpp"

namespace fabric::linux_host {

class SystemdServiceWriter : public host::ServiceWriter {
  public:
    explicit SystemdServiceWriter(const SystemdBus& bus) : bus_(&bus) {}

    [[nodiscard]] Result<void> reload(std::string_view unit) override;
    [[nodiscard]] Result<void> restart(const host::RestartRequest& request) override;

  private:
    const SystemdBus* bus_;
};

}  // namespace fabric::linux_host
