// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace fabric::host {

// One kernel uevent (lib/kobject_uevent.c): "add", "net", "/devices/pci0000:00/...".
struct DeviceEvent {
    std::string action;
    std::string subsystem;
    std::string devicePath;
};

// A subscription to device changes. Opened before the look whose outdating it
// announces.
class DeviceEvents {
  public:
    virtual ~DeviceEvents() = default;
    // The next event, or std::nullopt at the deadline or when a signal came. An overrun
    // of the socket is ErrorKind::busy: look again.
    [[nodiscard]] virtual Result<std::optional<DeviceEvent>> next(
        std::chrono::steady_clock::time_point deadline) = 0;
};

class DeviceWatcher {
  public:
    virtual ~DeviceWatcher() = default;
    [[nodiscard]] virtual Result<std::unique_ptr<DeviceEvents>> watch() const = 0;
};

}  // namespace fabric::host
