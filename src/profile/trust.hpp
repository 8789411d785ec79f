// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"

#include <string>
#include <vector>

namespace fabric::profile {

// What speaks against believing a file that a root program acts on. Each entry is a
// sentence without the file's name.
struct TrustReport {
    std::vector<std::string> doubts;    // a warning, or an error under `strict`
    std::vector<std::string> refusals;  // always an error
};

// Doubts: not owned by root, writable by group or others, itself or a directory on the
// way to it. Refusals: a symbolic link is
// on the way and some directory or link of the way is not root's, or some directory may
// be written by others, so that somebody else chose the file.
[[nodiscard]] TrustReport judgeTrust(const host::TracedFile& file);

}  // namespace fabric::profile
