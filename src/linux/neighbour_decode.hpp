// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/neighbours.hpp"
#include "linux/netlink_attributes.hpp"

#include <optional>

namespace fabric::linux_host {

// struct ndmsg and its attributes (linux/neighbour.h). Pure: bytes in, values out.
// std::nullopt for what is no IPv4 or IPv6 neighbour (bridge forwarding entries,
// entries without an address). A cut-off attribute is ErrorKind::malformed.
[[nodiscard]] Result<std::optional<host::Neighbour>> decodeNeighbour(ByteView payload);

}  // namespace fabric::linux_host
