// SPDX-License-Identifier: Apache-2.0
#include "doctor/healthy_node.hpp"

#include "engine/apply.hpp"
#include "engine/run.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace fabric::doctor {

namespace {

constexpr const char* kProfile = R"(version: 1
name: healthy
dcb:
  dcbx: host
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
ecn: {}
mtu: 9000
pause: { rx: off, tx: off }
acs: { clear: redirect }
arp: { ignore: 1, announce: 2, rp-filter: 2 }
service: { unit: minio.service }
)";

constexpr const char* kUnit =
    "[Unit]\n"
    "AssertFileIsExecutable=/usr/local/bin/minio\n"
    "AssertFileNotEmpty=/etc/default/minio\n"
    "[Service]\n"
    "Type=notify\n"
    "User=minio-user\n"
    "EnvironmentFile=/etc/default/minio\n"
    "ExecStart=/usr/local/bin/minio server $MINIO_OPTS $MINIO_VOLUMES\n";

}  // namespace

HealthyNode::HealthyNode(unsigned rails) : node(rails) {
    addMachine();
    addModules();
    addServer();
    for (unsigned rail = 0; rail < rails; ++rail) {
        addRail(rail);
    }
    static_cast<void>(
        engine::apply(node.reader(), node.writer(), scenario::profileOf(kProfile), {}));
    // The profile owns no neighbours, and there are none to be flushed.
    node.host.files.erase("/run/fabricctl/flush-pending");
    node.host.services.start("minio.service");
    const auto pid = node.host.services.pidOf("minio.service");
    node.host.files.addFile(fmt::format("/proc/{}/status", pid),
                            fmt::format("Name:\tminio\nGid:\t999\t999\t999\t999\n"
                                        "Groups:\t104 \nNSpid:\t{}\n"
                                        "VmPin:\t41943040 kB\n"
                                        "CapEff:\t0000000000000000\n"
                                        "Cpus_allowed_list:\t0-63\n",
                                        pid));
    node.host.files.addFile(fmt::format("/proc/{}/uid_map", pid),
                            "         0          0 4294967295\n");
    node.host.files.addFile(fmt::format("/proc/{}/cgroup", pid),
                            "0::/system.slice/minio.service\n");
    node.host.files.addFile("/sys/fs/cgroup/system.slice/minio.service/memory.max",
                            "max\n");
    node.host.files.addFile("/sys/fs/cgroup/system.slice/minio.service/rdma.max",
                            "mlx5_0 hca_handle=max hca_object=max\n");
    const auto again = engine::check(node.reader(), scenario::profileOf(kProfile), {});
    for (const engine::ResourceReport& report : again.resources) {
        EXPECT_TRUE(report.outcome == engine::Outcome::inSync ||
                    report.outcome == engine::Outcome::notApplicable)
            << report.assessment.id << " " << report.assessment.reason;
    }
}

void HealthyNode::addServer() {
    fake::FakeHost& host = node.host;
    host.files.addDirectory("/etc/systemd/system");
    host.files.addFile("/usr/lib/systemd/system/minio.service", kUnit);
    host.files.addFile("/usr/local/bin/minio", "ELF").mode = 0755;
    host.files.addFile("/usr/local/bin/minio.rdma", "ELF").mode = 0755;
    host.files.addFile("/etc/default/minio", "MINIO_RDMA_INTERNODE=on\n");
    host.programs.answers.insert_or_assign(
        "/usr/local/bin/minio.rdma",
        host::ProgramVersion{.text = "minio version RELEASE\nFeatures: GPU-Direct "
                                     "RDMA\n",
                             .exitStatus = 0});
    host.services.daemonReload();
}

void HealthyNode::addModules() {
    for (const char* name :
         {"ib_core", "ib_uverbs", "rdma_cm", "rdma_ucm", "mlx5_core", "mlx5_ib"}) {
        node.host.modules.add(name);
        node.host.modules.showLoaded(name);
    }
    node.host.files.addFile("/etc/modules-load.d/rdma.conf", "rdma_cm\n");
    node.host.files.addFile("/lib/modules/6.1.0-57-amd64/modules.builtin");
}

void HealthyNode::addRail(unsigned rail) {
    const std::string device = fmt::format("mlx5_{}", rail);
    const std::string port = "/sys/class/infiniband/" + device + "/ports/1";
    fake::FakeFiles& files = node.host.files;
    node.host.rdma.verbs[{device, 1}] = {
        .activeMtu = 4096, .maxMtu = 4096, .maxSrqWorkRequests = 32767};
    files.addFile(port + "/gids/0", "fe80:0000:0000:0000:0000:0000:0000:0001\n");
    files.addFile(port + "/gid_attrs/types/0", "RoCE v2\n");
    files.addFile(port + "/gid_attrs/ndevs/0", scenario::StorageNode::nameOf(rail));
    files.addFile(port + "/gids/1",
                  fmt::format("0000:0000:0000:0000:0000:ffff:0a00:{:02x}01\n", rail));
    files.addFile(port + "/gid_attrs/types/1", "RoCE v2\n");
    files.addFile(port + "/gid_attrs/ndevs/1", scenario::StorageNode::nameOf(rail));
    files.addFile(port + "/hw_counters/packet_seq_err", "7\n");
    files.addFile(port + "/hw_counters/local_ack_timeout_err", "0\n");
    files.addFile(port + "/hw_counters/np_cnp_sent", "12\n");
    files.addFile(port + "/counters/port_xmit_data", "1000\n");
    files.addFile(port + "/counters/port_rcv_data", "1000\n");
    files.addFile(fmt::format("/dev/infiniband/uverbs{}", rail)).mode = 0666;
    node.host.ethtool.counters[scenario::StorageNode::linkOf(rail)] = {
        {"rx_discards_phy", 0},
        {"rx_prio0_bytes", 500},
        {"rx_prio3_bytes", 9000},
        {"rx_prio3_discards", 0},
        {"rx_prio3_pause", 40},
        {"rx_prio3_pause_duration", 700},
        {"tx_pause_storm_error_events", 0},
        {"tx_pause_storm_warning_events", 0},
        {"tx_prio0_bytes", 600},
        {"tx_prio3_bytes", 9000},
        {"tx_prio3_pause", 2},
        {"tx_prio3_pause_duration", 30},
        // Of a queue: facts carry none of these.
        {"rx0_packets", 12}};
    node.host.routing.addConnected(
        scenario::StorageNode::linkOf(rail),
        IpAddress::v4(10, 0, static_cast<std::uint8_t>(rail), 0),
        24);
    const std::string pci =
        fmt::format("/sys/bus/pci/devices/0000:{:02x}:00.0/", 0x10 + rail);
    const std::string vector = std::to_string(100 + rail);
    files.addFile(pci + "msi_irqs/" + vector, "msix\n");
    files.addFile("/proc/irq/" + vector + "/effective_affinity_list", "3\n");
    files.addFile(pci + "current_link_speed", "32.0 GT/s PCIe\n");
    files.addFile(pci + "max_link_speed", "32.0 GT/s PCIe\n");
    files.addFile(pci + "current_link_width", "16\n");
    files.addFile(pci + "max_link_width", "16\n");
    files.addFile("/sys/class/net/" + scenario::StorageNode::nameOf(rail) + "/speed",
                  "400000\n");
    auto* const function = node.host.pci.find(
        {.domain = 0, .bus = static_cast<std::uint8_t>(0x10 + rail)});
    // A PCI Express capability at 0x60: read requests of 4096 bytes, relaxed ordering.
    function->setWord(0x34, 0x0060);
    function->setWord(0x60, 0x0010);
    function->setWord(0x68, 0x5010);
}

void HealthyNode::addMachine() {
    fake::FakeFiles& files = node.host.files;
    files.addFile("/dev/infiniband/rdma_cm").mode = 0666;
    files.addFile("/proc/meminfo",
                  "MemTotal:       527000000 kB\nMemAvailable:   500000000 kB\n"
                  "HugePages_Total:       0\nHugePages_Free:        0\n");
    files.addFile("/proc/1/comm", "systemd\n");
    files.addFile("/proc/uptime", "1000.00 900.00\n");
    files.addFile("/proc/sys/net/ipv4/neigh/default/gc_thresh3", "1024\n");
    files.addFile("/proc/net/stat/arp_cache",
                  "entries  allocs   table_fulls\n00000002 00000010 00000000\n");
    files.addFile("/sys/kernel/mm/transparent_hugepage/enabled",
                  "always [madvise] never\n");
    files.addFile("/sys/devices/system/node/online", "0-1\n");
    files.addFile("/sys/devices/system/node/node0/cpulist", "0-31\n");
    node.host.routing.addMainRule();
}

}  // namespace fabric::doctor
