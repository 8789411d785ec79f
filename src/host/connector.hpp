// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ip_address.hpp"
#include "base/quantity.hpp"
#include "base/result.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace fabric::host {

// One way to a peer: from an address of this host, out of one of its interfaces.
struct Connection {
    IpAddress from;
    IfIndex via;  // none: whichever the routes say
    IpAddress to;
    std::uint16_t port = 0;
};

// TCP connections that only a person asks for. No reader reaches it.
class Connector {
  public:
    virtual ~Connector() = default;
    // Opens each one and closes it again, all at the same time as far as there are
    // descriptors, none longer than `limit`. How long it took, in the order of
    // `wanted`; else what came back: ErrorKind::refused, ErrorKind::timeout, or another
    // errno.
    [[nodiscard]] virtual std::vector<Result<std::chrono::microseconds>> connect(
        std::span<const Connection> wanted, std::chrono::milliseconds limit) = 0;
};

}  // namespace fabric::host
