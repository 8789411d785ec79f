// SPDX-License-Identifier: Apache-2.0
#include "watch/counter_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fabric::watch {

namespace {

constexpr auto kMeanings = std::to_array<std::pair<Meaning, std::string_view>>({
    {Meaning::receivedBytes, "received_bytes"},
    {Meaning::sentBytes, "sent_bytes"},
    {Meaning::pauseReceived, "pause_received"},
    {Meaning::pauseSent, "pause_sent"},
    {Meaning::pauseReceivedMicros, "pause_received_us"},
    {Meaning::pauseSentMicros, "pause_sent_us"},
    {Meaning::pauseStorms, "pause_storms"},
    {Meaning::pauseStormWarnings, "pause_storm_warnings"},
    {Meaning::discards, "discards"},
    {Meaning::hostDiscards, "host_discards"},
    {Meaning::packetSequence, "packet_seq_err"},
    {Meaning::ackTimeout, "local_ack_timeout_err"},
    {Meaning::outOfSequence, "out_of_sequence"},
    {Meaning::outOfBuffer, "out_of_buffer"},
    {Meaning::congestionSent, "cnp_sent"},
    {Meaning::congestionHandled, "cnp_handled"},
    {Meaning::ecnMarked, "ecn_marked"},
});

constexpr std::string_view kMlx5 = "mlx5_core";
constexpr std::string_view kBnxt = "bnxt_en";
constexpr std::string_view kIce = "ice";
constexpr std::string_view kRxe = "rdma_rxe";
constexpr auto kPriority = Scope::priority;
constexpr auto kQueue = Scope::queue;
constexpr auto kWhole = Scope::whole;

constexpr auto kNames = std::to_array<CounterName>({
    // The pause counters are there only while PFC is on for the priority.
    {kMlx5, Place::port, Meaning::receivedBytes, "rx_prio#_bytes", kPriority},
    {kMlx5, Place::port, Meaning::sentBytes, "tx_prio#_bytes", kPriority},
    {kMlx5, Place::port, Meaning::pauseReceived, "rx_prio#_pause", kPriority},
    {kMlx5, Place::port, Meaning::pauseSent, "tx_prio#_pause", kPriority},
    {kMlx5,
     Place::port,
     Meaning::pauseReceivedMicros,
     "rx_prio#_pause_duration",
     kPriority},
    {kMlx5,
     Place::port,
     Meaning::pauseSentMicros,
     "tx_prio#_pause_duration",
     kPriority},
    {kMlx5, Place::port, Meaning::pauseStorms, "tx_pause_storm_error_events"},
    {kMlx5, Place::port, Meaning::pauseStormWarnings, "tx_pause_storm_warning_events"},
    {kMlx5, Place::port, Meaning::discards, "rx_prio#_discards", kPriority},
    {kMlx5, Place::port, Meaning::discards, "rx_discards_phy"},
    {kMlx5, Place::port, Meaning::hostDiscards, "rx_prio#_buf_discard", kPriority},
    {kMlx5, Place::port, Meaning::hostDiscards, "rx_prio#_cong_discard", kPriority},
    {kMlx5, Place::rdma, Meaning::packetSequence, "packet_seq_err"},
    {kMlx5, Place::rdma, Meaning::ackTimeout, "local_ack_timeout_err"},
    {kMlx5, Place::rdma, Meaning::outOfSequence, "out_of_sequence"},
    {kMlx5, Place::rdma, Meaning::outOfBuffer, "out_of_buffer"},
    {kMlx5, Place::rdma, Meaning::congestionSent, "np_cnp_sent"},
    {kMlx5, Place::rdma, Meaning::congestionHandled, "rp_cnp_handled"},
    {kMlx5, Place::rdma, Meaning::ecnMarked, "np_ecn_marked_roce_packets"},

    {kBnxt, Place::port, Meaning::receivedBytes, "rx_bytes_pri#", kPriority},
    {kBnxt, Place::port, Meaning::sentBytes, "tx_bytes_pri#", kPriority},
    {kBnxt, Place::port, Meaning::pauseReceived, "rx_pfc_ena_frames_pri#", kPriority},
    {kBnxt, Place::port, Meaning::pauseSent, "tx_pfc_ena_frames_pri#", kPriority},
    {kBnxt,
     Place::port,
     Meaning::pauseReceivedMicros,
     "pfc_pri#_rx_duration_us",
     kPriority},
    {kBnxt,
     Place::port,
     Meaning::pauseSentMicros,
     "pfc_pri#_tx_duration_us",
     kPriority},
    // A queue of the port is no priority, so these count for the whole port.
    {kBnxt, Place::port, Meaning::discards, "rx_discard_packets_cos#", kQueue},
    {kBnxt, Place::rdma, Meaning::receivedBytes, "rx_bytes"},
    {kBnxt, Place::rdma, Meaning::sentBytes, "tx_bytes"},
    {kBnxt, Place::rdma, Meaning::packetSequence, "seq_err_naks_rcvd"},
    {kBnxt, Place::rdma, Meaning::ackTimeout, "to_retransmits"},
    {kBnxt, Place::rdma, Meaning::outOfSequence, "oos_drop_count"},
    {kBnxt, Place::rdma, Meaning::outOfBuffer, "rx_out_of_buffer"},
    {kBnxt, Place::rdma, Meaning::congestionSent, "tx_cnp_pkts"},
    {kBnxt, Place::rdma, Meaning::congestionHandled, "rx_cnp_pkts"},
    {kBnxt, Place::rdma, Meaning::ecnMarked, "rx_ecn_marked_pkts"},

    {kIce, Place::port, Meaning::pauseReceived, "rx_priority_#_xoff.nic", kPriority},
    {kIce, Place::port, Meaning::pauseSent, "tx_priority_#_xoff.nic", kPriority},
    {kIce, Place::port, Meaning::discards, "rx_dropped.nic"},
    {kIce, Place::rdma, Meaning::receivedBytes, "ip4InOctets"},
    {kIce, Place::rdma, Meaning::receivedBytes, "ip6InOctets"},
    {kIce, Place::rdma, Meaning::sentBytes, "ip4OutOctets"},
    {kIce, Place::rdma, Meaning::sentBytes, "ip6OutOctets"},
    // Of irdma's third generation only.
    {kIce, Place::rdma, Meaning::packetSequence, "Nak Sequence Error"},
    // Segments that the adapter sent again; tcpRetransSegs is the former name.
    {kIce, Place::rdma, Meaning::ackTimeout, "tcpRetransSegs"},
    {kIce, Place::rdma, Meaning::ackTimeout, "RetransSegs"},
    {kIce, Place::rdma, Meaning::congestionSent, "cnpSent"},
    {kIce, Place::rdma, Meaning::congestionHandled, "cnpHandled"},
    {kIce, Place::rdma, Meaning::ecnMarked, "RxECNMrkd"},

    {kRxe, Place::rdma, Meaning::packetSequence, "rcvd_seq_err"},
    {kRxe, Place::rdma, Meaning::outOfSequence, "out_of_seq_request"},

    // Words of four octets (IB specification 1.3, volume 1, PortCounters).
    {"", Place::rdma, Meaning::receivedBytes, "port_rcv_data", kWhole, 4},
    {"", Place::rdma, Meaning::sentBytes, "port_xmit_data", kWhole, 4},
});

constexpr auto kEveryMeaning = [] {
    std::array<Meaning, kMeanings.size()> all{};
    std::ranges::transform(
        kMeanings, all.begin(), &std::pair<Meaning, std::string_view>::first);
    return all;
}();

}  // namespace

std::string_view toString(Meaning meaning) {
    const auto* const found = std::ranges::find(
        kMeanings, meaning, &std::pair<Meaning, std::string_view>::first);
    return found == kMeanings.end() ? "" : found->second;
}

std::span<const Meaning> everyMeaning() {
    return kEveryMeaning;
}

std::span<const CounterName> counterNames() {
    return kNames;
}

bool isNamed(Place place, std::string_view name) {
    return std::ranges::any_of(kNames, [&](const CounterName& line) {
        const std::size_t mark = line.name.find('#');
        if (line.place != place || mark == std::string_view::npos) {
            return line.place == place && line.name == name;
        }
        return name.size() == line.name.size() && name.at(mark) >= '0' &&
               name.at(mark) <= '7' &&
               name.substr(0, mark) == line.name.substr(0, mark) &&
               name.substr(mark + 1) == line.name.substr(mark + 1);
    });
}

}  // namespace fabric::watch
