// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "inventory/platform.hpp"
#include "resource/resource.hpp"

#include <string>
#include <string_view>

namespace fabric::resource {

// An assessment of `property` on one interface of a rail with its names filled in and
// no verdict yet. An empty `property` makes the id "KIND/INTERFACE".
[[nodiscard]] Assessment railProperty(const RailTask& task,
                                      Kind kind,
                                      std::string_view interface,
                                      std::string_view property);

// The name that the link bears now. Names change while a run is under way (udev), and
// a path in sysfs made from an old one may be another interface's.
[[nodiscard]] Result<std::string> presentName(const host::LinkReader& links,
                                              IfIndex link);
// An error of kind mismatch unless the link still bears this name.
[[nodiscard]] Result<void> stillNamed(const host::LinkReader& links,
                                      IfIndex link,
                                      std::string_view name,
                                      std::string action);

// Applies a refusal to write this rail: the verdict is `failed` with its reason,
// whatever was found. True when there is one.
bool refuse(const RailTask& task, Assessment& assessment);

// Why something cannot be read, with what it takes: the capability for EACCES, kernel
// lockdown or the capability for EPERM. Sets verdict, reason and fix.
void cannotRead(const Error& error,
                const inventory::Platform& platform,
                Assessment& assessment);

// Several rails may share one port: two VFs, or a VF and its PF. Keeps one assessment
// per id, the worst, and its steps. A refused one wins; rails that want different
// values of one property make it `failed`, without steps, naming both.
void settleSharedPorts(Comparison& comparison);

}  // namespace fabric::resource
