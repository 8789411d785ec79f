// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/unique_fd.hpp"
#include "host/files.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::linux_host {

// An open directory with the way that led to it, itself included.
struct TracedDirectory {
    UniqueFd fd;
    std::vector<host::PathStep> way;
};

// Follows one path from the root down, descriptor by descriptor, without letting the
// kernel follow a link, and keeps what it passed. Used once.
class PathWalk {
  public:
    explicit PathWalk(UniqueFd root);

    [[nodiscard]] Result<host::TracedFile> read(const std::string& path,
                                                std::size_t limit);
    // The directory at the end of the path, opened for reading.
    [[nodiscard]] Result<TracedDirectory> directory(const std::string& path);

  private:
    struct Directory {
        UniqueFd fd;
        std::string path;
    };

    void queue(std::string_view path);
    [[nodiscard]] Result<void> begin(const std::string& path);
    // The next component other than "..", which it goes itself; "" at the end.
    [[nodiscard]] std::string nextPart();
    [[nodiscard]] Result<UniqueFd> look(const std::string& part) const;
    [[nodiscard]] Result<void> enter(const UniqueFd& fd, const std::string& part);
    [[nodiscard]] Result<void> follow(const UniqueFd& link, const std::string& at);
    [[nodiscard]] Result<host::TracedFile> readLast(const std::string& part,
                                                    std::size_t limit);
    [[nodiscard]] std::string below(const std::string& part) const;

    std::vector<Directory> stack_;   // from the root to here
    std::deque<std::string> parts_;  // still to go
    std::vector<host::PathStep> way_;
    unsigned links_ = 0;
};

}  // namespace fabric::linux_host
