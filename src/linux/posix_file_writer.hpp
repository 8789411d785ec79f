// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "linux/root_directory.hpp"
#include "linux/trusted_directory.hpp"

namespace fabric::linux_host {

// Paths with a ".." component are refused (EINVAL): they are built from names of the
// profile and of the kernel, and none has a reason to climb.
class PosixFileWriter : public host::FileWriter {
  public:
    // `way`: what may stand on the way to a file.
    explicit PosixFileWriter(const RootDirectory& root, Way way = Way::trusted)
        : root_(&root), way_(way) {}

    [[nodiscard]] Result<void> writeAttribute(std::string_view path,
                                              std::string_view text) override;
    [[nodiscard]] Result<void> replaceFile(std::string_view path,
                                           std::string_view text,
                                           const host::FileAccess& access) override;
    // Of a directory that is there it takes away what a killed process left in it: it
    // is made sure of before a file of it is written, which need not be the one that
    // was being written then.
    [[nodiscard]] Result<void> makeDirectory(std::string_view path,
                                             mode_t mode) override;
    [[nodiscard]] Result<void> removeFile(std::string_view path) override;

  private:
    // A path as its open directory and its last component.
    struct Place {
        UniqueFd directory;
        std::string name;
    };

    [[nodiscard]] Result<Place> placeOf(std::string_view action,
                                        std::string_view path) const;

    const RootDirectory* root_;
    Way way_;
};

}  // namespace fabric::linux_host
