// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "snapshot/item.hpp"

#include <optional>
#include <string>

namespace fabric::snapshot {

// The file as it is now, byte for byte; empty: there is none. A symbolic link in its
// place is an error (ELOOP), and is not followed: no run replaces one.
[[nodiscard]] Result<std::optional<FileContent>> readFile(const host::FileReader& files,
                                                          const std::string& path);

}  // namespace fabric::snapshot
