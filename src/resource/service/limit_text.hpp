// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/services.hpp"

#include <optional>
#include <string_view>

namespace fabric::resource::service {

// LimitMEMLOCK= as written (systemd.exec(5)): bytes with an optional suffix to the base
// of 1024, or "infinity", or two of them as SOFT:HARD. std::nullopt for anything else,
// which systemd ignores.
[[nodiscard]] std::optional<host::ResourceLimit> parseLimit(std::string_view text);

}  // namespace fabric::resource::service
