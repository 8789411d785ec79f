// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"
#include "engine/report.hpp"
#include "host/host.hpp"
#include "profile/profile.hpp"

namespace fabric::cli {

inline constexpr const char* kRunDirectory = "/run/fabricctl";

// A path inside an image as it is called on this host.
[[nodiscard]] std::string inImage(const std::string& root, const std::string& path);

// Reads the profile that the command line names. A file that others may write is a
// warning for a person and an error for a unit (systemd sets INVOCATION_ID). Warnings
// go to stderr.
[[nodiscard]] profile::ProfileResult<profile::Profile> loadProfile(
    const host::FileReader& files, const Options& options);

// The report of a run that ends at its profile.
[[nodiscard]] engine::Report invalidProfileReport(const host::Reader& host,
                                                  std::string command,
                                                  const Options& options,
                                                  profile::ProfileErrors errors);

}  // namespace fabric::cli
