// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/unique_fd.hpp"
#include "fleet/spill.hpp"

#include <cstdint>
#include <string>

namespace fabric::cli {

// A file without a name in the directory of temporary files: gone with the process,
// readable by nobody else.
class SpillFile : public fleet::Spill {
  public:
    // In $TMPDIR, or /tmp.
    [[nodiscard]] static Result<SpillFile> make();

    [[nodiscard]] Result<void> append(std::string_view record) override;
    [[nodiscard]] Result<void> rewind() override;
    [[nodiscard]] Result<std::string> next() override;

  private:
    SpillFile(UniqueFd file, std::string directory)
        : file_(std::move(file)), directory_(std::move(directory)) {}

    [[nodiscard]] Result<void> flush();
    // At least `size` bytes of `buffer_` from `at_` on.
    [[nodiscard]] Result<void> fill(std::size_t size);

    UniqueFd file_;
    std::string directory_;
    std::string buffer_;
    std::size_t at_ = 0;  // where in `buffer_` the next record begins
};

}  // namespace fabric::cli
