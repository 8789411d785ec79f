// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"
#include "engine/run.hpp"
#include "host/host.hpp"
#include "profile/profile.hpp"

namespace fabric::engine {

// An image is a directory that will be the root of a host: its files can be prepared,
// its kernel, devices and services are not running. The readers must be rooted there.
// What needs a running host is `skipped`, reason "deferred to boot".

// One look at the files that the profile's kinds keep.
[[nodiscard]] resource::Comparison assessImage(const host::Reader& image,
                                               const profile::Profile& profile,
                                               const RunOptions& options);

// `check` and `plan` of an image. Writes nothing.
[[nodiscard]] Report observeImage(const host::Reader& image,
                                  const profile::Profile& profile,
                                  const RunOptions& options,
                                  Purpose purpose);

}  // namespace fabric::engine
