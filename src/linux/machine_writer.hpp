// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/announcer.hpp"
#include "linux/dcb_writer.hpp"
#include "linux/delayed_commands.hpp"
#include "linux/ethtool_writer.hpp"
#include "linux/ipv4_conf_writer.hpp"
#include "linux/kmod_module_writer.hpp"
#include "linux/link_writer.hpp"
#include "linux/machine.hpp"
#include "linux/neighbour_writer.hpp"
#include "linux/pci_writer.hpp"
#include "linux/posix_file_writer.hpp"
#include "linux/systemd_service_writer.hpp"

namespace fabric::linux_host {

// What changes a machine, over the sockets of its reader. The machine must outlive it.
class MachineWriter {
  public:
    explicit MachineWriter(Machine& machine)
        : files_(machine.root_),
          links_(machine.route_),
          dcb_(machine.dcb_),
          ethtool_(machine.ethtool_),
          pci_(machine.pci_, machine.libpci_),
          ipv4_(machine.route_, files_),
          services_(machine.services_),
          delayed_(machine.services_),
          neighbours_(machine.route_) {}

    [[nodiscard]] host::Writer writer() {
        return {.files = files_,
                .links = links_,
                .dcb = dcb_,
                .ethtool = ethtool_,
                .pci = pci_,
                .ipv4 = ipv4_,
                .services = &services_,
                .modules = &modules_,
                .neighbours = &neighbours_,
                .announcer = &announcer_};
    }

    [[nodiscard]] host::DelayedCommands& delayedCommands() { return delayed_; }

  private:
    PosixFileWriter files_;
    RtnlLinkWriter links_;
    RtnlDcbWriter dcb_;
    IoctlEthtoolWriter ethtool_;
    PciConfigWriter pci_;
    RtnlIpv4ConfWriter ipv4_;
    KmodModuleWriter modules_;
    SystemdServiceWriter services_;
    TimersOrWatchdog delayed_;
    RtnlNeighbourWriter neighbours_;
    PacketAnnouncer announcer_;
};

}  // namespace fabric::linux_host
