// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "profile/profile.hpp"

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::profile {

struct LoadOptions {
    // Ownership and mode of the files: a warning, or an error (under systemd).
    bool strict = false;
};

// Reads, merges and judges a profile and what it extends. All errors of all files are
// listed. Never writes.
[[nodiscard]] ProfileResult<Profile> load(const host::FileReader& files,
                                          std::string_view path,
                                          const LoadOptions& options = {});

// A file that `extends` names, or why there is none.
struct SourceText {
    std::string identity;  // equal for two names of one file, for cycles
    std::string text;
    std::vector<std::string> warnings;
};

using SourceReader =
    std::function<std::expected<SourceText, std::string>(const std::string& path)>;

// The same on a text. `file` names it in errors and is what `extends` is relative to.
[[nodiscard]] ProfileResult<Profile> parse(const SourceText& first,
                                           const std::string& file,
                                           const SourceReader& source);
// A text alone: `extends` is an error.
[[nodiscard]] ProfileResult<Profile> parse(std::string_view text,
                                           const std::string& file);

}  // namespace fabric::profile
