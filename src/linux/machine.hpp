// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "linux/clock.hpp"
#include "linux/dcb_channel.hpp"
#include "linux/device_events.hpp"
#include "linux/ethtool.hpp"
#include "linux/ipv4_conf.hpp"
#include "linux/journal.hpp"
#include "linux/kmod_modules.hpp"
#include "linux/neighbours.hpp"
#include "linux/pci_config.hpp"
#include "linux/posix_files.hpp"
#include "linux/rdma_devices.hpp"
#include "linux/rtnl_links.hpp"
#include "linux/rtnl_routing.hpp"
#include "linux/systemd_bus.hpp"
#include "linux/version_probe.hpp"

#include <string>

namespace fabric::linux_host {

// The machine that this process runs on, for reading. Nothing is opened before it is
// first used: no socket, no libpci. One route socket serves links, routes,
// rules, neighbours and DCB.
class Machine {
  public:
    // `root` stands for "/" in every path of files and of /sys/bus/pci; "" is the real
    // one. The kernel's sockets have no root.
    explicit Machine(const std::string& root = {});

    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    Machine(Machine&&) = delete;
    Machine& operator=(Machine&&) = delete;
    ~Machine() = default;

    [[nodiscard]] host::Reader reader() const {
        return {.files = files_,
                .links = links_,
                .watcher = links_,
                .dcb = dcbReader_,
                .ethtool = ethtoolReader_,
                .pci = pci_,
                .rdma = rdma_,
                .ipv4 = ipv4_,
                .clock = clock_,
                .devices = &devices_,
                .services = &services_,
                .programs = &programs_,
                .modules = &modules_,
                .neighbours = &neighbours_,
                .journal = &journal_,
                .routing = &routing_};
    }

  private:
    friend class MachineWriter;

    RootDirectory root_;
    SystemClock clock_;
    PosixFiles files_{root_};
    InterfaceSocket interfaces_;
    NetlinkChannel route_;
    NetlinkChannel rdmaChannel_;
    LibpciAccess libpci_;
    DcbChannel dcb_{route_, interfaces_, files_};
    RtnlDcbReader dcbReader_{dcb_};
    RtnlLinks links_{route_};
    RtnlIpv4Conf ipv4_{route_, files_};
    RtnlNeighbours neighbours_{route_};
    RtnlRouting routing_{route_};
    EthtoolControl ethtool_{interfaces_};
    IoctlEthtoolReader ethtoolReader_{ethtool_};
    PciConfigReader pci_{files_, root_, libpci_};
    NetlinkRdma rdma_{rdmaChannel_, files_};
    UeventWatcher devices_;
    KmodModuleReader modules_;
    SystemdBus services_;
    VersionProbe programs_;
    SystemJournal journal_;
};

}  // namespace fabric::linux_host
