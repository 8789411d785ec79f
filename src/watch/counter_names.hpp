// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fabric::watch {

// Who counts: the net device (ethtool -S), or the port of the RDMA device
// (/sys/class/infiniband/DEV/ports/N/hw_counters and counters).
enum class Place { port, rdma };

// What is counted, whatever a driver calls it. Frames and packets unless it says else.
enum class Meaning {
    receivedBytes,
    sentBytes,
    pauseReceived,        // PFC frames that told this port to be silent
    pauseSent,            // PFC frames with which this port silenced its neighbour
    pauseReceivedMicros,  // how long it was silent
    pauseSentMicros,
    pauseStorms,         // pause that was cut off since it did not end
    pauseStormWarnings,  // pause that was about to be
    discards,            // dropped by the port for want of a receive buffer
    hostDiscards,        // the same for want of this host's share of the buffers
    packetSequence,      // answers that say that packets are missing
    ackTimeout,          // no answer at all in time
    outOfSequence,       // packets that came while an earlier one is missing
    outOfBuffer,         // packets that found no posted receive request
    congestionSent,      // CNP: this port told a sender to slow down
    congestionHandled,   // CNP that slowed this port down
    ecnMarked,           // packets that a switch marked
};

// "packet_seq_err": how JSON and people are told.
[[nodiscard]] std::string_view toString(Meaning meaning);
[[nodiscard]] std::span<const Meaning> everyMeaning();

// What one name counts for. A '#' in it stands for 0 to 7.
enum class Scope { whole, priority, queue };

// One line per driver, place and name. Sources:
// drivers/net/ethernet/mellanox/mlx5/core/ en_stats.c, broadcom/bnxt/bnxt_ethtool.c,
// intel/ice/ice_ethtool.c; drivers/infiniband/hw/mlx5/counters.c,
// bnxt_re/hw_counters.c, irdma/verbs.c, sw/rxe/rxe_hw_counters.c, core/sysfs.c.
struct CounterName {
    std::string_view driver;  // of the PCI function; "" any, where no other line fits
    Place place;
    Meaning meaning;
    std::string_view name;
    Scope scope = Scope::whole;
    std::uint64_t unit = 1;  // one count stands for so many
};

[[nodiscard]] std::span<const CounterName> counterNames();

// Whether a line of this place stands for a counter of this name, of any driver.
[[nodiscard]] bool isNamed(Place place, std::string_view name);

}  // namespace fabric::watch
