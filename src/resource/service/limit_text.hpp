// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/services.hpp"

#include <optional>
#include <string_view>

namespace fabric::resource::service {

// LimitMEMLOCK= as written (systemd.exec(5)): bytes, also as "1.5G" or "1G 512M" with
// suffixes to the base of 1024 (parse_size() in systemd's src/basic/parse-util.c), or
// "infinity", or two of them as SOFT:HARD. std::nullopt for anything else, which
// systemd ignores.
[[nodiscard]] std::optional<host::ResourceLimit> parseLimit(std::string_view text);

}  // namespace fabric::resource::service
