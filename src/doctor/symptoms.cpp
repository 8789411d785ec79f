// SPDX-License-Identifier: Apache-2.0
#include "doctor/symptoms.hpp"

#include <algorithm>
#include <array>

namespace fabric::doctor {

namespace {

constexpr auto kNotUsed = std::to_array<std::string_view>({
    "bin.rdma_build",    "unit.execstart", "unit.symlink_hack", "verbs.port",
    "mod.loaded",        "driver.split",   "driver.symbols",    "abi.userspace",
    "netns.mode",        "log.internode",  "log.gpudirect",     "env.internode",
    "unit.dropin_state", "proc.stale_exe", "unit.shadow",       "unit.assert",
    "mem.limit",         "mem.limit_proc", "dev.access",        "srq.size",
});
constexpr auto kNoDevice = std::to_array<std::string_view>({
    "verbs.port",
    "mod.loaded",
    "driver.split",
    "driver.symbols",
    "abi.userspace",
    "netns.mode",
    "dev.access",
    "bond.lag",
    "gid.ipv4",
    "kernel.version",
    "lid.release",
});
constexpr auto kEnvironment = std::to_array<std::string_view>({
    "env.internode",
    "unit.dropin_state",
    "proc.stale_exe",
    "unit.shadow",
});
constexpr auto kMemlock = std::to_array<std::string_view>({
    "log.pool",
    "mem.limit",
    "mem.limit_proc",
    "dev.access",
    "mem.headroom",
    "unit.dropin_state",
    "memlock.container",
    "hugepages",
    "qp.limit",
});
constexpr auto kSrq = std::to_array<std::string_view>({"srq.size", "fw.version"});
constexpr auto kStatus11 = std::to_array<std::string_view>({
    "log.status_11",
    "acs.redirect",
    "acs.boot",
    "unit.cycle",
    "lockdown",
    "iommu.mode",
    "peermem.dmabuf",
});
constexpr auto kRetryExceeded = std::to_array<std::string_view>({
    "log.retry_exc",  "drops.roce",   "dcb.host",   "dcb.auto_class", "prio.tx",
    "nic.throttle",   "pfc.storm",    "arp.sysctl", "arp.shared_l2",  "arp.wrong_rail",
    "arp.static",     "ah.stale",     "gid.ipv4",   "rp.strict",      "arp.filter",
    "subnet.overlap", "mtu.mismatch", "peer.mtu",   "peer.gid",       "gid.index_move",
    "neigh.overflow", "rail.cabling",
});
constexpr auto kPlateau = std::to_array<std::string_view>({
    "ecn.thresholds",
    "drops.roce",
    "dcb.host",
    "nic.throttle",
    "pcie.link",
    "mtu.mismatch",
});
constexpr auto kFallbacks =
    std::to_array<std::string_view>({"pool.fallbacks", "mem.headroom"});
constexpr auto kPerWrite = std::to_array<std::string_view>({
    "reg.per_write",
    "mem.limit",
    "mem.limit_proc",
    "mem.headroom",
    "qp.limit",
});
constexpr auto kTimeout = std::to_array<std::string_view>({
    "peer.port",
    "peer.mtu",
    "verbs.port",
    "drops.roce",
    "dcb.host",
    "timeout.masking",
    "pfc.storm",
    "neigh.overflow",
});
constexpr auto kWrongRail = std::to_array<std::string_view>({
    "log.retry_exc",
    "arp.shared_l2",
    "arp.sysctl",
    "arp.wrong_rail",
    "arp.static",
    "ah.stale",
    "gid.ipv4",
    "peer.gid",
    "rp.strict",
    "arp.filter",
    "subnet.overlap",
    "sysctl.loser",
    "sysctl.dotname",
    "gid.index_move",
    "rail.cabling",
});
constexpr auto kStuck = std::to_array<std::string_view>({
    "peer.port",
    "verbs.port",
    "arp.wrong_rail",
    "ah.stale",
    "drops.roce",
    "pfc.storm",
    "gid.ipv4",
    "gid.index_move",
    "qp.limit",
    "mtu.mismatch",
    "peer.mtu",
    "peer.gid",
});
constexpr auto kSlow = std::to_array<std::string_view>({
    "kernel.version", "drops.roce",   "dcb.host",       "dcb.auto_class", "prio.tx",
    "ecn.thresholds", "nic.throttle", "pool.fallbacks", "reg.per_write",  "pcie.link",
    "pcie.mrrs",      "pcie.relaxed", "numa.rail",      "irq.affinity",   "iommu.mode",
    "mtu.mismatch",   "fw.version",   "hugepages",      "bond.lag",
});

constexpr auto kSymptoms = std::to_array<Symptom>({
    {.name = "tcp-fallback",
     .what = "inter-node RDMA metrics stay at zero, shards travel by TCP",
     .entry = "Troubleshoot RDMA: RDMA never activates",
     .rules = kNotUsed,
     .otherwise = {}},
    {.name = "s3-501",
     .what = "S3 over RDMA is declined: x-amz-rdma-reply 501, clients see errors",
     .entry = "Troubleshoot RDMA: RDMA never activates",
     .rules = kNotUsed,
     .otherwise = {}},
    {.name = "no-device",
     .what = "ibv_devinfo shows no device, or no port that is active",
     .entry = "Configure the RDMA fabric: Confirm the host sees an RDMA device",
     .rules = kNoDevice,
     .otherwise = {}},
    {.name = "env-ignored",
     .what = "a MINIO_RDMA_ setting has no effect",
     .entry = "Troubleshoot RDMA: RDMA never activates",
     .rules = kEnvironment,
     .otherwise = {}},
    {.name = "memlock",
     .what = "the receive pool never gets ready; out of memory at registration",
     .entry = "Troubleshoot RDMA: locked memory",
     .rules = kMemlock,
     .otherwise = {}},
    {.name = "srq",
     .what = "RDMA starts on some nodes and fails at startup on others",
     .entry = "Troubleshoot RDMA: shared receive queue",
     .rules = kSrq,
     .otherwise = {}},
    {.name = "status-11",
     .what = "transfers into GPU memory fail with completion status 11",
     .entry = "Troubleshoot RDMA: remote operation error",
     .rules = kStatus11,
     .otherwise = {}},
    {.name = "retry-exc",
     .what = "IBV_WC_RETRY_EXC_ERR (status 12), throughput collapses",
     .entry = "Troubleshoot RDMA: the fabric is not lossless",
     .rules = kRetryExceeded,
     .otherwise = {}},
    {.name = "plateau",
     .what = "no errors and no drops, but far below line rate",
     .entry = "Troubleshoot RDMA: throughput plateaus",
     .rules = kPlateau,
     .otherwise = {}},
    {.name = "pool-fallbacks",
     .what = "RDMA works, but a part of the traffic still uses TCP",
     .entry = "Troubleshoot RDMA: fallback counter",
     .rules = kFallbacks,
     .otherwise = {}},
    {.name = "per-write-reg",
     .what = "slower than before; the log says per-write registration",
     .entry = "Troubleshoot RDMA: sender buffer registration",
     .rules = kPerWrite,
     .otherwise = {}},
    {.name = "timeout",
     .what = "RDMA operations time out",
     .entry = "Troubleshoot RDMA: operations time out",
     .rules = kTimeout,
     .otherwise = {}},
    {.name = "wrong-rail",
     .what = "several rails on one switch: some pairs of nodes fail, TCP is fine",
     .entry = "Troubleshoot RDMA: multi-rail host",
     .rules = kWrongRail,
     .otherwise = {}},
    {.name = "stuck",
     .what = "a transfer hangs and nothing else explains it",
     .entry = "Troubleshoot RDMA: verbose completion logging",
     .rules = kStuck,
     .otherwise = "put MINIO_RDMA_DEBUG=on (exactly on) into the unit's environment "
                  "file, restart this node, then: journalctl -u minio | grep "
                  "RDMA-DEBUG:; it tells of the inter-node path only"},
    {.name = "slow",
     .what = "everything works, and one rail or one node is slower than the others",
     .entry = "experience",
     .rules = kSlow,
     .otherwise = {}},
});

}  // namespace

std::span<const Symptom> symptoms() {
    return kSymptoms;
}

const Symptom* findSymptom(std::string_view name) {
    const auto* const found = std::ranges::find(kSymptoms, name, &Symptom::name);
    return found == kSymptoms.end() ? nullptr : found;
}

}  // namespace fabric::doctor
