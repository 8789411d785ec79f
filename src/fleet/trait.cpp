// SPDX-License-Identifier: Apache-2.0
#include "fleet/trait.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace fabric::fleet {

namespace {

using enum doctor::Verdict;

constexpr std::string_view kApplyDcb = "fabricctl apply --only dcb";
constexpr std::string_view kOneProfile =
    "give every host one profile, then: fabricctl apply";

constexpr auto kTraits = std::to_array<TraitInfo>({
    {Trait::rails, "rails", fail, Scope::host, "rails", "ibv_devinfo; ip -brief link"},
    {Trait::pfc, "pfc", fail, Scope::fabric, "priorities with PFC", kApplyDcb},
    {Trait::trust, "trust", fail, Scope::fabric, "trust", kApplyDcb},
    {Trait::dscpMap,
     "dscp-map",
     fail,
     Scope::fabric,
     "DSCP map where it is not DSCP >> 3",
     kApplyDcb},
    {Trait::buffer, "buffer", fail, Scope::fabric, "receive buffers", kApplyDcb},
    {Trait::bufferSize, "buffer-size", warn, Scope::rail, "buffer sizes", kApplyDcb},
    {Trait::ecn, "ecn", fail, Scope::fabric, "ECN", "fabricctl apply --only ecn"},
    {Trait::ets, "ets", warn, Scope::fabric, "ETS", kApplyDcb},
    {Trait::pause,
     "pause",
     fail,
     Scope::fabric,
     "global pause",
     "fabricctl apply --only pause"},
    {Trait::mtu, "mtu", fail, Scope::fabric, "MTU", "fabricctl apply --only mtu"},
    {Trait::pathMtu,
     "path-mtu",
     fail,
     Scope::fabric,
     "active MTU of the RDMA port",
     "fabricctl apply --only mtu",
     {Trait::mtu}},
    {Trait::autoClass,
     "auto-class",
     fail,
     Scope::fabric,
     "what AIStor takes by itself",
     kApplyDcb,
     {Trait::pfc, Trait::dscpMap}},
    {Trait::rdmaCmTos,
     "rdma-cm-tos",
     warn,
     Scope::fabric,
     "default ToS of rdma_cm",
     "fabricctl apply --only rdma-cm"},
    {Trait::arp,
     "arp",
     fail,
     Scope::fabric,
     "ARP settings in force",
     "fabricctl apply --only arp,neighbour"},
    {Trait::state, "state", fail, Scope::rail, "port", "cable, switch port, ibstat"},
    {Trait::speed,
     "speed",
     warn,
     Scope::rail,
     "speed",
     "cable, switch port, ethtool RAIL",
     {Trait::state}},
    {Trait::linkLayer,
     "link-layer",
     fail,
     Scope::rail,
     "link layer",
     "mlxconfig -d DEVICE query LINK_TYPE_P1"},
    {Trait::rdmaDevice,
     "rdma-device",
     warn,
     Scope::rail,
     "RDMA device",
     "persistent names: rdma_rename of rdma-core, udev"},
    {Trait::driver, "driver", warn, Scope::model, "driver", "install one driver"},
    {Trait::firmware, "firmware", warn, Scope::model, "firmware", "one firmware"},
    {Trait::kernel, "kernel", warn, Scope::host, "kernel", "boot one kernel"},
    {Trait::service,
     "service",
     fail,
     Scope::host,
     "storage server",
     "systemctl status minio"},
    {Trait::program,
     "program",
     fail,
     Scope::host,
     "program of the server",
     "fabricctl apply --only service"},
    {Trait::release, "release", warn, Scope::host, "AIStor", "install one release"},
    {Trait::fabricRelease,
     "infiniband-release",
     fail,
     Scope::host,
     "AIStor on InfiniBand",
     "install one release: an older one may send no LID to its peers"},
    {Trait::internode,
     "internode",
     fail,
     Scope::host,
     "MINIO_RDMA_INTERNODE",
     "one environment on every host, then restart all"},
    {Trait::trafficClass,
     "traffic-class",
     fail,
     Scope::host,
     "MINIO_RDMA_INTERNODE_TRAFFIC_CLASS",
     "leave it unset on every host: AUTO"},
    {Trait::queueSize,
     "srq",
     warn,
     Scope::host,
     "MINIO_RDMA_INTERNODE_SRQ_SIZE",
     "one environment on every host"},
    {Trait::profile, "profile", fail, Scope::host, "profile", kOneProfile},
});

constexpr bool inOrder() {
    for (std::size_t at = 0; at < kTraits.size(); ++at) {
        if (static_cast<std::size_t>(kTraits.at(at).trait) != at) {
            return false;
        }
    }
    return true;
}

static_assert(inOrder());

}  // namespace

std::span<const TraitInfo> traitTable() {
    return kTraits;
}

const TraitInfo& infoOf(Trait trait) {
    return kTraits.at(static_cast<std::size_t>(trait));
}

}  // namespace fabric::fleet
