// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/unique_fd.hpp"
#include "host/history_log.hpp"

#include <cstdint>
#include <string>

namespace fabric::linux_host {

inline constexpr std::uint64_t kHistoryLimit = std::uint64_t{8} << 20U;  // bytes

// `history.jsonl` in a directory of the caller's own. A file that would grow beyond the
// limit is put aside as `history.jsonl.1`, in place of the one before. Nothing is
// written through a link, to a file of another user, or to one that has a second name.
class HistoryFile : public host::HistoryLog {
  public:
    explicit HistoryFile(std::string directory, std::uint64_t limit = kHistoryLimit)
        : path_(std::move(directory)), limit_(limit) {}

    [[nodiscard]] Result<void> append(std::string_view line) override;
    [[nodiscard]] Result<void> sync() override;

  private:
    [[nodiscard]] Result<void> openDirectory();
    [[nodiscard]] Result<void> openFile();
    [[nodiscard]] Result<void> putAside();

    std::string path_;
    std::uint64_t limit_;
    UniqueFd directory_;
    UniqueFd file_;
};

}  // namespace fabric::linux_host
