// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/ethtool.hpp"

#include <map>
#include <vector>

namespace fabric::fake {

struct PauseChange {
    IfIndex link;
    host::PauseParameters wanted;
    int sysErrno = 0;  // 0: it took effect
    bool operator==(const PauseChange&) const = default;
};

// A device without an entry answers EOPNOTSUPP, as a driver without the operation does.
class FakeEthtool : public host::EthtoolReader, public host::EthtoolWriter {
  public:
    std::map<IfIndex, host::DriverInfo> drivers;
    std::map<IfIndex, host::PauseParameters> pauses;
    std::map<IfIndex, host::Counters> counters;
    std::map<IfIndex, int> readErrors;   // errno of every read
    std::map<IfIndex, int> writeErrors;  // errno of setPause()
    bool ignorePause = false;            // setPause answers 0 and changes nothing
    std::vector<PauseChange> changes;

    [[nodiscard]] Result<host::DriverInfo> driver(IfIndex link) const override;
    [[nodiscard]] Result<host::PauseParameters> pause(IfIndex link) const override;
    [[nodiscard]] Result<host::Counters> statistics(IfIndex link) const override;
    [[nodiscard]] Result<void> setPause(IfIndex link,
                                        const host::PauseParameters& wanted) override;
};

}  // namespace fabric::fake
