// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/service_log.hpp"

namespace fabric::linux_host {

// The journal of the running system.
class JournalServiceLog : public host::ServiceLog {
  public:
    [[nodiscard]] Result<host::ServiceLines> lines(
        std::string_view unit,
        std::uint64_t sinceUs,
        std::span<const std::string_view> words) const override;
};

}  // namespace fabric::linux_host
