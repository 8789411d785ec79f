// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/routing.hpp"
#include "linux/netlink_attributes.hpp"

#include <optional>

// Pure: bytes in, values out. Unknown attributes are passed over; a cut-off attribute
// is ErrorKind::malformed.
namespace fabric::linux_host {

// struct rtmsg; std::nullopt for a family other than IPv4 and IPv6, the table `local`
// and what is cached.
[[nodiscard]] Result<std::optional<host::Route>> decodeRoute(ByteView payload);

// struct fib_rule_hdr; std::nullopt for a family other than IPv4 and IPv6.
[[nodiscard]] Result<std::optional<host::RoutingRule>> decodeRule(ByteView payload);

}  // namespace fabric::linux_host
