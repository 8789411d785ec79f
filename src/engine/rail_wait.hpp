// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apply.hpp"

namespace fabric::engine {

// Waits on device and link events until the profile's rails are there, at most as long
// as rails.wait (or options.wait) says. Returns at once when they are, when there is no
// time to wait, when a signal came, or under --rail. What is missing then is the
// report's business.
void waitForRails(const host::Reader& reader,
                  const profile::Profile& profile,
                  const ApplyOptions& options);

}  // namespace fabric::engine
