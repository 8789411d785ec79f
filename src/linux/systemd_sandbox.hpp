// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sdbus-c++/sdbus-c++.h>

#include <string>
#include <vector>

// For SystemdTimers alone.
namespace fabric::linux_host {

// As StartTransientUnit of org.freedesktop.systemd1(5) takes them.
using Property = sdbus::Struct<std::string, sdbus::Variant>;
using PropertyList = std::vector<Property>;

// What a command of ours may do that systemd runs for us: what fabricctl.service may
// (units/meson.build), but for three lines. A program that somebody applied with must
// be found at its deadline wherever it lies: home directories can be read
// (ProtectHome=read-only), and /tmp is that of the host. And a file goes back to its
// owner: CAP_CHOWN, and CAP_FOWNER for its mode afterwards.
[[nodiscard]] PropertyList commandSandbox();

}  // namespace fabric::linux_host
