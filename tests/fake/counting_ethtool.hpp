// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "host/statistics.hpp"

#include <cerrno>
#include <map>
#include <string>

namespace fabric::fake {

// Beside what another reader knows of net devices, what they count. A device without an
// entry answers EOPNOTSUPP, as a driver without statistics does.
class CountingEthtool : public host::EthtoolReader, public host::StatisticsReader {
  public:
    explicit CountingEthtool(const host::EthtoolReader& other) : other_(other) {}

    std::map<IfIndex, host::Counters> counters;

    // The same machine with this reader in place of its own.
    [[nodiscard]] host::Reader in(const host::Reader& machine) const {
        return {.files = machine.files,
                .links = machine.links,
                .watcher = machine.watcher,
                .dcb = machine.dcb,
                .ethtool = *this,
                .pci = machine.pci,
                .rdma = machine.rdma,
                .ipv4 = machine.ipv4,
                .clock = machine.clock,
                .devices = machine.devices,
                .services = machine.services,
                .programs = machine.programs,
                .modules = machine.modules,
                .neighbours = machine.neighbours,
                .journal = machine.journal};
    }

    [[nodiscard]] Result<host::DriverInfo> driver(IfIndex link) const override {
        return other_.driver(link);
    }

    [[nodiscard]] Result<host::PauseParameters> pause(IfIndex link) const override {
        return other_.pause(link);
    }

    [[nodiscard]] Result<host::Counters> statistics(IfIndex link) const override {
        const auto found = counters.find(link);
        if (found == counters.end()) {
            return fail(systemError("read the statistics",
                                    "ifindex " + std::to_string(link.number),
                                    EOPNOTSUPP));
        }
        return found->second;
    }

  private:
    const host::EthtoolReader& other_;
};

}  // namespace fabric::fake
