// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "doctor/control_group.hpp"
#include "doctor/metrics.hpp"
#include "doctor/process_status.hpp"
#include "engine/lossless.hpp"
#include "engine/report.hpp"
#include "host/connector.hpp"
#include "host/host.hpp"
#include "host/service_log.hpp"
#include "inventory/gid_table.hpp"
#include "inventory/platform.hpp"
#include "inventory/rail.hpp"
#include "resource/acs/matrix.hpp"
#include "resource/arp/state.hpp"
#include "resource/arp/sysctl_files.hpp"
#include "resource/module/state.hpp"
#include "resource/neighbour/state.hpp"
#include "resource/service/state.hpp"
#include "watch/sample.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fabric::doctor {

using inventory::Gid;

// What the PCI Express link of a function does and could do.
struct PcieLink {
    std::string speed;  // "32.0 GT/s PCIe"
    std::string maxSpeed;
    unsigned width = 0;  // lanes
    unsigned maxWidth = 0;
    Result<std::uint16_t> deviceControl;  // PCI_EXP_DEVCTL (linux/pci_regs.h)
};

// To which processors the interrupts of a function go.
struct InterruptSpread {
    unsigned node = 0;        // that the function is at
    std::set<unsigned> near;  // processors of that node
    unsigned vectors = 0;     // in use
    unsigned remote = 0;  // of them, those that go to processors of other nodes only
};

// One rail with everything that rules compare.
struct RailEvidence {
    inventory::Rail rail;
    std::vector<engine::PortObservation> ports;
    Result<host::RdmaPortAttributes> attributes;
    Result<std::vector<Gid>> gids;
    std::vector<host::LinkAddress> addresses;  // of all its interfaces
    std::optional<PcieLink> pcie;              // empty: no PCI function, or not read
    // Empty: it has no node, or the host has one only.
    std::optional<Result<InterruptSpread>> interrupts;
    unsigned speedMbps = 0;               // of its link; 0: not told
    watch::Sample first;                  // what it counts
    std::optional<watch::Sample> second;  // empty: one look only
};

// The storage server's unit, program and process.
struct ServerEvidence {
    std::string unit;    // that was asked for
    std::string binary;  // the RDMA build
    Result<resource::service::State> state;
    Result<host::FileStatus> binaryStatus;
    Result<host::ProgramVersion> version;
    Result<std::string> program;       // what its command leads to, links followed
    std::vector<std::string> missing;  // files that its asserts name and are not there
    std::optional<Result<ProcessStatus>> status;  // of its process; empty: none runs
    std::optional<MemoryMax> memoryMax;           // of its control group; empty: none
    std::vector<RdmaMax> rdmaLimits;              // likewise
    std::optional<resource::neighbour::ServiceStart> start;
};

// A process of the storage server that is not the one its unit started: a container
// runtime or a person did.
struct OtherServer {
    std::uint32_t pid = 0;
    std::string name;  // as the kernel calls it
    Result<ProcessStatus> status;
    Result<host::ResourceLimit> memlock;
};

struct PciEvidence {
    std::size_t gpus = 0;
    Result<std::vector<resource::acs::GpuNicPath>> paths;
    std::string translating;  // type of the IOMMU group of a GPU or NIC, "" none
    bool iommu = false;       // one of them has an IOMMU group
    // What the NVIDIA driver says of itself; notFound: it is not loaded.
    Result<std::string> nvidiaDriver;
};

struct DeviceNode {
    std::string name;  // "uverbs0"
    host::FileStatus status;
};

struct MemoryEvidence {
    std::uint64_t availableBytes = 0;
    std::uint64_t hugePages = 0;
    std::uint64_t freeHugePages = 0;
};

struct NeighbourTable {
    std::uint64_t limit = 0;  // gc_thresh3
    std::uint64_t fulls = 0;  // table_fulls since boot
};

struct RoutingEvidence {
    host::Routes routes;
    std::vector<host::RoutingRule> rules;
};

// One address of a rail, and one of a peer in its network.
struct PeerPair {
    std::string rail;
    host::Connection way;
    std::string peer;  // "ens1f0np0 of node2"
    Result<std::chrono::microseconds> connected;
    std::string serve;    // the command that waits at one end for a measurement
    std::string run;      // and the one that measures from here
    std::string without;  // why there are none; "" there are
    // What both ends say of themselves; 0, and "" of the GID: not told.
    std::uint32_t ownMtu = 0;
    std::uint32_t peerMtu = 0;
    Result<std::uint32_t> ownActiveMtu;
    std::uint32_t peerActiveMtu = 0;
    Result<std::string> ownGid;  // RoCE v2, or "none"; "": InfiniBand
    std::string peerGid;         // likewise; "" not told
};

struct PeerEvidence {
    std::vector<PeerPair> pairs;
    std::vector<std::string> problems;  // of the inventory, safe to print
    std::vector<std::string> unpaired;  // peers that no rail is in a network with
};

// The GID table of one port as it was when earlier facts were taken.
struct EarlierGids {
    std::string device;
    std::uint32_t port = 0;
    Result<std::vector<Gid>> gids;
};

struct EarlierLook {
    std::string taken;  // when
    std::vector<EarlierGids> ports;
};

// Everything of one host that a rule compares, as values. Taken by gather().
struct Evidence {
    inventory::Platform platform;
    Result<std::vector<host::RdmaPort>> rdmaPorts;
    Result<std::vector<host::Link>> links;
    std::vector<RailEvidence> rails;
    std::optional<Error> railsError;
    ServerEvidence server;
    PciEvidence pci;
    resource::kernel_module::State modules;
    std::vector<std::string> bootModules;  // listed anywhere for loading at boot
    bool rdmaCoreLoads = false;            // rdma-core's /etc/rdma/modules is there
    Result<std::vector<DeviceNode>> deviceNodes;
    Result<resource::arp::State> arp;
    Result<resource::arp::SysctlFiles> sysctls;
    Result<std::vector<host::Neighbour>> neighbours;
    Result<NeighbourTable> neighbourTable;
    std::optional<Result<NeighbourTable>> laterNeighbourTable;  // empty: one look only
    Result<std::vector<OtherServer>> otherServers;
    std::optional<EarlierLook> earlier;  // empty: nobody gave earlier facts
    // Empty: facts of a fabricctl that did not look at them.
    std::optional<Result<RoutingEvidence>> routing;
    Result<MemoryEvidence> memory;
    Result<std::string> transparentHugePages;  // "always [madvise] never"
    Result<std::string> numaNodes;             // "0-1"
    std::map<std::string, Result<host::ServiceUnit>> bootUnits;
    Result<std::string> systemState;
    Result<std::vector<host::JournalEntry>> managerProblems;
    std::optional<Result<host::JournalLines>> kernelLog;  // empty: facts have none
    std::optional<engine::Report> check;  // against a profile; empty: none
    std::optional<std::chrono::milliseconds> interval;  // between the two looks
    std::optional<PeerEvidence> peers;                  // empty: nobody was asked
    // What the server wrote since it was started; empty: not looked at.
    std::optional<Result<host::ServiceLines>> serverLog;
    std::optional<MetricsEvidence> metrics;  // empty: the server was not asked
};

}  // namespace fabric::doctor
