// SPDX-License-Identifier: Apache-2.0
#include "engine/resource_table.hpp"

#include <array>

namespace fabric::engine {

namespace {

using resource::Kind;
using resource::Resource;

constexpr std::array<Resource, 10> kResources{{
    {.kind = Kind::module, .section = "modules", .assess = nullptr},
    {.kind = Kind::acs, .section = "acs", .assess = nullptr},
    {.kind = Kind::mtu, .section = "mtu", .assess = nullptr},
    {.kind = Kind::pause, .section = "pause", .assess = nullptr},
    {.kind = Kind::dcb, .section = "dcb", .assess = nullptr},
    {.kind = Kind::ecn, .section = "ecn", .assess = nullptr},
    {.kind = Kind::rdmaCm, .section = "rdma-cm-tos", .assess = nullptr},
    {.kind = Kind::arp, .section = "arp", .assess = nullptr},
    {.kind = Kind::neighbour, .section = "neighbours", .assess = nullptr},
    {.kind = Kind::service, .section = "service", .assess = nullptr},
}};

}  // namespace

std::span<const Resource> resourceTable() {
    return kResources;
}

}  // namespace fabric::engine
