// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fabric::facts {

struct Member {
    std::string path;  // below the archive's folder: "report/boot.json"
    std::string text;
};

// A tar archive (ustar, POSIX.1-2001) compressed by gzip (RFC 1952), whole in memory:
// `folder` and below it its members in the order given, readable by their owner only.
// The same members give the same bytes. `time` in seconds since 1970. A name longer
// than 100 bytes is refused.
[[nodiscard]] Result<std::string> packed(std::string_view folder,
                                         std::span<const Member> members,
                                         std::int64_t time);

}  // namespace fabric::facts
