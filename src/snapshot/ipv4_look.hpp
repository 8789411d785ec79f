// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"
#include "host/ipv4_conf.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fabric::snapshot {

// IPv4 settings by interface, or of conf.all for none: one dump for all interfaces,
// made when it is first needed. An interface or a setting that is not in it is ENODEV.
class Ipv4Look {
  public:
    explicit Ipv4Look(const host::Ipv4ConfReader& reader) : reader_(&reader) {}

    [[nodiscard]] Result<std::int32_t> value(IfIndex link, host::Ipv4Key key);

  private:
    const host::Ipv4ConfReader* reader_;
    std::optional<Result<std::vector<host::Ipv4Conf>>> dump_;
};

}  // namespace fabric::snapshot
