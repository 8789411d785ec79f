// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/dcb.hpp"
#include "host/device_events.hpp"
#include "host/ethtool.hpp"
#include "host/files.hpp"
#include "host/ipv4_conf.hpp"
#include "host/journal.hpp"
#include "host/links.hpp"
#include "host/modules.hpp"
#include "host/neighbours.hpp"
#include "host/pci.hpp"
#include "host/prober.hpp"
#include "host/program_probe.hpp"
#include "host/rdma.hpp"
#include "host/routing.hpp"
#include "host/services.hpp"

#include <chrono>

namespace fabric::host {

// Time, so that tests can hold it.
class Clock {
  public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual std::chrono::steady_clock::time_point now() const = 0;
    [[nodiscard]] virtual std::chrono::system_clock::time_point wallTime() const = 0;
};

// Everything that can be asked of one machine. Non-owning; valid as long as its parts.
struct Reader {
    const FileReader& files;
    const LinkReader& links;
    const LinkWatcher& watcher;
    const DcbReader& dcb;
    const EthtoolReader& ethtool;
    const PciReader& pci;
    const RdmaReader& rdma;
    const Ipv4ConfReader& ipv4;
    const Clock& clock;
    const DeviceWatcher* devices =
        nullptr;  // nullptr: device events cannot be watched here
    const ServiceReader* services =
        nullptr;  // nullptr: an image without a service manager
    const ProgramProbe* programs = nullptr;       // nullptr: no program may be run here
    const ModuleReader* modules = nullptr;        // nullptr: nobody to ask here
    const NeighbourReader* neighbours = nullptr;  // nullptr: no cache to read
    const JournalReader* journal = nullptr;       // nullptr: there is none here
    const RoutingReader* routing = nullptr;       // nullptr: no routes to read
};

// Everything that can be changed on it. Only `apply` builds one.
struct Writer {
    FileWriter& files;
    LinkWriter& links;
    DcbWriter& dcb;
    EthtoolWriter& ethtool;
    PciWriter& pci;
    Ipv4ConfWriter& ipv4;
    ServiceWriter* services = nullptr;  // nullptr: an image without a service manager
    ModuleWriter* modules = nullptr;    // nullptr: nothing can be loaded here
    NeighbourWriter* neighbours = nullptr;  // nullptr: no cache to write
    Announcer* announcer = nullptr;         // nullptr: no frame can be sent
};

}  // namespace fabric::host
