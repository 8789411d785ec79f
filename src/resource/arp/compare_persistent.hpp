// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/arp/state.hpp"
#include "resource/arp/sysctl_files.hpp"

#include <span>

namespace fabric::resource::arp {

// What the next boot makes of the files against what is wanted, and our own file as it
// should be. Another file that wins leaves a difference that no step repairs: files of
// others are never edited. Pure.
[[nodiscard]] Comparison comparePersistent(std::span<const Place> places,
                                           const Scope& scope,
                                           const SysctlFiles& files);

// The answer when the files could not be read. Pure.
[[nodiscard]] Comparison persistentUnread(std::span<const Place> places,
                                          const Error& error,
                                          const inventory::Platform& platform);

}  // namespace fabric::resource::arp
