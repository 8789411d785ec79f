// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"

#include <sys/stat.h>

#include <cstddef>
#include <string>

namespace fabric::linux_host {

[[nodiscard]] host::FileStatus statusOf(const struct stat& found);

// How a file says that it has been read to its end.
enum class FileEnd {
    emptyRead,  // any file: read(2) returns 0
    // An attribute of sysfs or configfs gives all it has at once, at most a page
    // (fs/sysfs/file.c, sysfs_kf_seq_show): a read that fills less was the last.
    shortRead,
};

// Everything that an open descriptor gives; EFBIG beyond `limit` bytes. `name` is for
// errors.
[[nodiscard]] Result<std::string> readWhole(int fd,
                                            const std::string& name,
                                            std::size_t limit,
                                            FileEnd end = FileEnd::emptyRead);

}  // namespace fabric::linux_host
