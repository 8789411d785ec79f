// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "linux/root_directory.hpp"

namespace fabric::linux_host {

// Files as open(2) finds them. The size that stat(2) tells is never believed: sysfs and
// procfs say 4096 or 0 for anything.
class PosixFiles : public host::FileReader {
  public:
    explicit PosixFiles(const RootDirectory& root) : root_(&root) {}

    [[nodiscard]] Result<std::string> read(
        std::string_view path,
        std::size_t limit = host::kDefaultReadLimit) const override;
    [[nodiscard]] Result<host::TracedFile> readTraced(
        std::string_view path,
        std::size_t limit = host::kDefaultReadLimit) const override;
    [[nodiscard]] Result<std::vector<std::string>> list(
        std::string_view path) const override;
    [[nodiscard]] Result<std::string> readLink(std::string_view path) const override;
    [[nodiscard]] Result<std::string> resolve(std::string_view path) const override;
    [[nodiscard]] Result<host::FileStatus> status(std::string_view path) const override;

  private:
    const RootDirectory* root_;
};

}  // namespace fabric::linux_host
