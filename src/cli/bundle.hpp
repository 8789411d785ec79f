// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "facts/disguise.hpp"
#include "facts/facts.hpp"
#include "host/host.hpp"
#include "profile/profile.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fabric::cli {

// Everything that a person elsewhere needs to help, as one archive.
struct Bundle {
    std::string bytes;                // gzip
    std::vector<std::string> unread;  // what could not be read, for a person
};

// Packs the facts with what the host's journal and this program's files say beside
// them. Reads only. `profile`: what the host is compared with, where there is one.
// `disguise`: of the facts, nullptr to leave names and addresses as they are.
[[nodiscard]] Result<Bundle> bundleOf(const host::Reader& host,
                                      const facts::Facts& facts,
                                      const std::optional<profile::Profile>& profile,
                                      facts::Disguise* disguise);

}  // namespace fabric::cli
