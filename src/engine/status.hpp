// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lossless.hpp"
#include "engine/report.hpp"
#include "engine/wire.hpp"
#include "host/host.hpp"
#include "inventory/platform.hpp"
#include "inventory/rail.hpp"
#include "resource/acs/matrix.hpp"
#include "resource/finding.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fabric::engine {

// One physical port of a rail with its parts.
struct PortStatus {
    std::string name;
    std::vector<LosslessPart> parts;
};

struct RailStatus {
    inventory::Rail rail;
    LosslessVerdict verdict = LosslessVerdict::unknown;
    std::vector<PortStatus> ports;
    std::optional<host::RdmaPortAttributes>
        attributes;  // empty: the device could not be opened
    std::string attributesError;
};

// What the wire answered to `--probe-l2` and `--audit`; empty: it was not asked.
struct WireAnswers {
    std::optional<Result<std::vector<InterfaceSharing>>> domains;
    std::optional<Result<Audit>> audit;

    // Everything that was asked could be told.
    [[nodiscard]] bool complete() const;
};

// What this host looks like, without a profile.
struct Status {
    inventory::Platform platform;
    std::vector<RailStatus> rails;
    std::vector<resource::acs::GpuNicPath> paths;  // each GPU with each RDMA NIC
    std::size_t gpus = 0;
    std::vector<std::string> problems;  // what could not be observed as a whole
    WireAnswers wire;
    std::vector<resource::Finding> findings;  // about this host, beside its rails
    std::optional<Error> stopped;

    // 0, 6 when something could not be read, 1 when nothing could be run.
    [[nodiscard]] ExitCode exitCode() const;
};

// One look at everything that makes a physical port of a rail lossless. Reads only.
[[nodiscard]] PortObservation observePort(const host::Reader& host,
                                          const inventory::Rail& rail,
                                          const inventory::PhysicalPort& port);

// Looks at every Ethernet and InfiniBand RDMA port, or at the one rail named `filter`
// (see railsNamed). Reads only.
[[nodiscard]] Status observeStatus(const host::Reader& host, const std::string& filter);

}  // namespace fabric::engine
