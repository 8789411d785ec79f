// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <functional>
#include <memory>
#include <string_view>

namespace fabric::fleet {

// Where a stream of bytes goes on to. An error ends the stream.
using ByteSink = std::function<Result<void>(std::string_view bytes)>;

// The two bytes that a gzip stream begins with (RFC 1952).
inline constexpr std::string_view kGzipMagic = "\x1f\x8b";

// Unpacks a gzip stream, also one of several members, piece by piece: memory does not
// grow with what comes out.
class Inflater {
  public:
    explicit Inflater(ByteSink sink);
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    Inflater(Inflater&&) = delete;
    Inflater& operator=(Inflater&&) = delete;

    // Fails when the bytes are no gzip stream; nothing follows then.
    [[nodiscard]] Result<void> feed(std::string_view bytes);
    // Fails when the stream was cut off.
    [[nodiscard]] Result<void> end() const;

  private:
    struct Stream;
    ByteSink sink_;
    std::unique_ptr<Stream> stream_;
};

}  // namespace fabric::fleet
