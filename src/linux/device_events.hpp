// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/device_events.hpp"

#include <span>

namespace fabric::linux_host {

// One kernel uevent datagram: "ACTION@DEVPATH", then NUL-terminated KEY=VALUE strings
// (lib/kobject_uevent.c). std::nullopt when it is not one. Pure.
[[nodiscard]] std::optional<host::DeviceEvent> parseUevent(
    std::span<const char> datagram);

// NETLINK_KOBJECT_UEVENT, the kernel's own multicast group.
class UeventWatcher : public host::DeviceWatcher {
  public:
    [[nodiscard]] Result<std::unique_ptr<host::DeviceEvents>> watch() const override;
};

}  // namespace fabric::linux_host
