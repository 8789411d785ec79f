// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ip_address.hpp"
#include "host/files.hpp"
#include "host/rdma.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fabric::inventory {

// One entry of a GID table that is in use.
struct Gid {
    unsigned index = 0;
    std::string gid;        // "0000:0000:0000:0000:0000:ffff:0a00:0101"
    std::string type;       // "RoCE v2", "" not told
    std::string interface;  // "" not told
};

// The table of a port by index, entries in use only.
[[nodiscard]] Result<std::vector<Gid>> readGids(const host::FileReader& files,
                                                const host::RdmaPort& port);

// As the kernel prints the GID of an address; IPv4 is carried as ::ffff:a.b.c.d (RFC
// 4291).
[[nodiscard]] std::string gidOf(const IpAddress& address);

// The index of the RoCE v2 entry of an address.
[[nodiscard]] std::optional<unsigned> indexOf(std::span<const Gid> gids,
                                              const IpAddress& address);

}  // namespace fabric::inventory
