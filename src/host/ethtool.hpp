// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace fabric::host {

// ETHTOOL_GDRVINFO.
struct DriverInfo {
    std::string driver;
    std::string version;
    std::string firmware;
    std::string bus;  // "0000:1a:00.0"
};

// IEEE 802.3 annex 31B link-level pause (ETHTOOL_GPAUSEPARAM), not PFC.
struct PauseParameters {
    bool autonegotiate = false;
    bool rx = false;
    bool tx = false;
    bool operator==(const PauseParameters&) const = default;
};

// Counters of a device as they stand at one time, by the driver's own names. A name
// that is not in here is not counted, which is not the same as 0.
using Counters = std::map<std::string, std::uint64_t>;

class EthtoolReader {
  public:
    virtual ~EthtoolReader() = default;
    [[nodiscard]] virtual Result<DriverInfo> driver(IfIndex link) const = 0;
    [[nodiscard]] virtual Result<PauseParameters> pause(IfIndex link) const = 0;
    // The driver's statistics (ETHTOOL_GSTRINGS and ETHTOOL_GSTATS), of a name that it
    // uses twice the first. A driver without any is ErrorKind::unsupported; a device
    // whose counters came and went in between is ErrorKind::busy.
    [[nodiscard]] virtual Result<Counters> statistics(IfIndex link) const = 0;
};

class EthtoolWriter {
  public:
    virtual ~EthtoolWriter() = default;
    [[nodiscard]] virtual Result<void> setPause(IfIndex link,
                                                const PauseParameters& wanted) = 0;
};

}  // namespace fabric::host
