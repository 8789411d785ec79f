// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"

#include <sys/types.h>

#include <string>
#include <string_view>

namespace fabric::linux_host {

// One write(2), again when a signal interrupts it before anything was taken.
[[nodiscard]] ssize_t writeOnce(int fd, std::string_view text);

// What stands under a name in a directory: 0 when nothing or a regular file, else the
// errno that says why it is not to be replaced.
[[nodiscard]] int obstacle(int directory, const std::string& name);

// Replaces a file in an open directory as a whole: a temporary file beside it, fsync,
// rename, fsync of the directory. 0, or an errno, and then the former file stands. A
// process that is killed meanwhile leaves its temporary file; whoever replaces or
// removes a file of the same directory next takes it away, unless its writer lives.
[[nodiscard]] int replaceIn(int directory,
                            const std::string& name,
                            std::string_view text,
                            const host::FileAccess& access);
// Takes away the temporary files of processes that were killed in a directory below an
// open one.
void removeLeftoversIn(int directory, const std::string& name);
// 0, or an errno.
[[nodiscard]] int removeIn(int directory, const std::string& name);

}  // namespace fabric::linux_host
