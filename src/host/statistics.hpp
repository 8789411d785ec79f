// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"
#include "host/ethtool.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace fabric::host {

// Counters of a device as they stand at one time, by the driver's own names. A name
// that is not in here is not counted, which is not the same as 0.
using Counters = std::map<std::string, std::uint64_t>;

// What an EthtoolReader may be besides: one that can also count.
class StatisticsReader {
  public:
    virtual ~StatisticsReader() = default;
    // The driver's statistics (ETHTOOL_GSTRINGS and ETHTOOL_GSTATS), of a name that it
    // uses twice the first. A driver without any is ErrorKind::unsupported; a device
    // whose counters came and went in between is ErrorKind::busy.
    [[nodiscard]] virtual Result<Counters> statistics(IfIndex link) const = 0;
};

// The statistics of one net device of a machine; ErrorKind::unsupported where its
// reader does not count.
[[nodiscard]] inline Result<Counters> readStatistics(const EthtoolReader& reader,
                                                     IfIndex link) {
    if (const auto* const counting = dynamic_cast<const StatisticsReader*>(&reader)) {
        return counting->statistics(link);
    }
    return fail({.kind = ErrorKind::unsupported,
                 .action = "read the statistics",
                 .subject = "ifindex " + std::to_string(link.number),
                 .sysErrno = 0,
                 .detail = "nobody counts here",
                 .advice = {}});
}

}  // namespace fabric::host
