// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <sys/types.h>

#include <string>
#include <string_view>

namespace fabric::linux_host {

// Where absolute paths begin: the real root, or a directory that stands for it (an
// image that is being prepared). Below a directory no symbolic link and no ".." leads
// outside it (openat2(2), RESOLVE_IN_ROOT).
class RootDirectory {
  public:
    RootDirectory() = default;

    explicit RootDirectory(std::string directory) : directory_(std::move(directory)) {}

    [[nodiscard]] bool real() const { return directory_.empty(); }

    // open(2) below the root, always close-on-exec. -1 and errno on failure.
    [[nodiscard]] UniqueFd open(const std::string& path,
                                int flags,
                                mode_t mode = 0) const;
    // The absolute path, as seen from this root, of an open descriptor.
    [[nodiscard]] Result<std::string> pathOf(int fd) const;

  private:
    [[nodiscard]] int rootFd() const;

    std::string directory_;
    mutable UniqueFd root_;
};

}  // namespace fabric::linux_host
