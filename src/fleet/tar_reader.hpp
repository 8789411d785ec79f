// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fabric::fleet {

// What becomes of the regular files of an archive, in their order.
struct TarSink {
    std::function<void(const std::string& name)> begin;
    std::function<Result<void>(std::string_view bytes)> bytes;
    std::function<Result<void>()> end;
};

// Reads a tar archive (POSIX ustar and pax, GNU long names) piece by piece. Memory does
// not grow with it. Links, devices and folders are passed over.
class TarReader {
  public:
    explicit TarReader(TarSink sink) : sink_(std::move(sink)) {}

    // Whether a stream that begins so is an archive; `head` is kHeader bytes or less.
    [[nodiscard]] static bool isTar(std::string_view head);
    static constexpr std::size_t kHeader = 512;

    // Fails when the bytes are no archive; nothing follows then.
    [[nodiscard]] Result<void> feed(std::string_view bytes);
    // Fails when the archive was cut off.
    [[nodiscard]] Result<void> end();

  private:
    enum class Member { none, file, longName, paxHeader, other };

    [[nodiscard]] Result<void> takeHeader();
    [[nodiscard]] Result<void> takeBody(std::string_view bytes);
    [[nodiscard]] Result<void> endBody();
    void begin(char type, std::string name);

    TarSink sink_;
    std::string header_;
    Member member_ = Member::none;
    std::uint64_t left_ = 0;     // bytes of the present member
    std::uint64_t padding_ = 0;  // behind it
    std::string described_;      // what a longName or paxHeader holds
    std::string nextName_;       // of the member that follows, "" its own
    bool ended_ = false;         // the two blocks of zeros came
};

}  // namespace fabric::fleet
