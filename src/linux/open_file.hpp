// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"

#include <sys/stat.h>

#include <cstddef>
#include <string>

namespace fabric::linux_host {

[[nodiscard]] host::FileStatus statusOf(const struct stat& found);

// Everything that an open descriptor gives; EFBIG beyond `limit` bytes. `name` is for
// errors.
[[nodiscard]] Result<std::string> readWhole(int fd,
                                            const std::string& name,
                                            std::size_t limit);

}  // namespace fabric::linux_host
