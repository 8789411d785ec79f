// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"
#include "host/ethtool.hpp"
#include "host/host.hpp"
#include "inventory/rail.hpp"
#include "watch/counter_names.hpp"

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace fabric::watch {

// Everything that one device counts, as it stands at one time.
struct Source {
    Place place = Place::port;
    std::string name;    // "ens1f0np0", "mlx5_0/1"
    std::string driver;  // as in CounterName
    Result<host::Counters> counters;
};

// One rail at one time.
struct Sample {
    std::string rail;
    std::string rdma;    // "mlx5_0/1", "" none
    std::string driver;  // of the rail
    host::LinkLayer layer = host::LinkLayer::unknown;
    std::chrono::steady_clock::time_point at;
    std::vector<Source> sources;  // the physical ports, then the RDMA port
    // The priorities that have PFC on one of its ports.
    Result<std::set<Priority>> lossless;
};

// The rails that are watched: every one with an RDMA port, or the one that `filter`
// names (engine::railsNamed).
[[nodiscard]] Result<std::vector<inventory::Rail>> watchedRails(
    const host::Reader& host, const std::string& filter);

// Looks at one rail. Reads only; what cannot be read is an Error in its place.
[[nodiscard]] Sample takeSample(const host::Reader& host, const inventory::Rail& rail);

// The counters of an RDMA port in sysfs: hw_counters, and the words of
// counters/port_*_data. A name that cannot be read is left out.
[[nodiscard]] Result<host::Counters> readRdmaCounters(const host::FileReader& files,
                                                      const host::RdmaPort& port);

}  // namespace fabric::watch
