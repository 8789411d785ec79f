// SPDX-License-Identifier: Apache-2.0
#include "engine/resource_table.hpp"

#include "resource/acs/acs.hpp"
#include "resource/arp/arp.hpp"
#include "resource/dcb/assess.hpp"
#include "resource/ecn/ecn.hpp"
#include "resource/module/module.hpp"
#include "resource/mtu/mtu.hpp"
#include "resource/neighbour/neighbour.hpp"
#include "resource/pause/pause.hpp"
#include "resource/rdma_cm/rdma_cm.hpp"
#include "resource/service/service.hpp"

#include <array>

namespace fabric::engine {

namespace {

using resource::Kind;
using resource::Resource;

constexpr std::array<Resource, 10> kResources{{
    {.kind = Kind::module,
     .section = "modules",
     .assess = resource::kernel_module::assess,
     .assessImage = resource::kernel_module::assessImage,
     .leavesFiles = true},
    {.kind = Kind::acs, .section = "acs", .assess = resource::acs::assess},
    {.kind = Kind::mtu, .section = "mtu", .assess = resource::mtu::assess},
    {.kind = Kind::pause,
     .section = "pause",
     .assess = resource::pause::assess,
     .watches = "dcb"},
    {.kind = Kind::dcb, .section = "dcb", .assess = resource::dcb::assess},
    {.kind = Kind::ecn, .section = "ecn", .assess = resource::ecn::assess},
    {.kind = Kind::rdmaCm,
     .section = "rdma-cm-tos",
     .assess = resource::rdma_cm::assess},
    {.kind = Kind::arp, .section = "arp", .assess = resource::arp::assess},
    {.kind = Kind::neighbour,
     .section = "neighbours",
     .assess = resource::neighbour::assess},
    {.kind = Kind::service,
     .section = "service",
     .assess = resource::service::assess,
     .assessImage = resource::service::assessImage,
     .leavesFiles = true},
}};

}  // namespace

std::span<const Resource> resourceTable() {
    return kResources;
}

}  // namespace fabric::engine
