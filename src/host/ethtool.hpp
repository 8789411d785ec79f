// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"

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

class EthtoolReader {
  public:
    virtual ~EthtoolReader() = default;
    [[nodiscard]] virtual Result<DriverInfo> driver(IfIndex link) const = 0;
    [[nodiscard]] virtual Result<PauseParameters> pause(IfIndex link) const = 0;
};

class EthtoolWriter {
  public:
    virtual ~EthtoolWriter() = default;
    [[nodiscard]] virtual Result<void> setPause(IfIndex link,
                                                const PauseParameters& wanted) = 0;
};

}  // namespace fabric::host
