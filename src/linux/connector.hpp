// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/connector.hpp"

namespace fabric::linux_host {

// Non-blocking sockets, bound to address and interface, waited for with poll(2).
class TcpConnector : public host::Connector {
  public:
    [[nodiscard]] std::vector<Result<std::chrono::microseconds>> connect(
        std::span<const host::Connection> wanted,
        std::chrono::milliseconds limit) override;
};

}  // namespace fabric::linux_host
